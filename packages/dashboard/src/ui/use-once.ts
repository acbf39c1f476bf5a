import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * A mutation that is sent once, however often it is pressed. Its own `isPending` is that of the last picture: of two presses that a busy tab
 * has kept, the second would not know of the first.
 */
export function useOnce<Result, Input = void, Before = unknown>(
  options: UseMutationOptions<Result, Error, Input, Before>
): UseMutationResult<Result, Error, Input, Before> {
  const isSent = useRef(false)
  const mutation = useMutation({
    ...options,
    onSettled: (...settled) => {
      isSent.current = false
      return options.onSettled?.(...settled)
    }
  })
  const mutate: typeof mutation.mutate = (...input) => {
    if (isSent.current) return
    isSent.current = true
    mutation.mutate(...input)
  }
  return { ...mutation, mutate }
}
