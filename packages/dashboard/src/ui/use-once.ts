import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * A mutation that ignores repeated calls while it runs. `isPending` is from the last render, so a second click in a
 * busy tab would pass it.
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
