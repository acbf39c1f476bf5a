import { notifications } from '@mantine/notifications'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

interface Act<Input, Result> {
  run(input: Input): Promise<Result>
  /** What it makes stale. */
  stale: readonly QueryKey[]
  /** What is said when it is done; left out where the page shows it. */
  done?: (result: Result, input: Input) => string
  onDone?: (result: Result, input: Input) => void
}

/** An act outside of a form: sent once, whoever presses twice, and its failure stays until it is closed. */
export function useAct<Input = void, Result = unknown>({ run, stale, done, onDone }: Act<Input, Result>) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: run,
    onSuccess: async (result, input) => {
      if (done) notifications.show({ message: done(result, input), role: 'status' })
      onDone?.(result, input)
      await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
    onError: ({ message }) => notifications.show({ color: 'red', autoClose: false, message, role: 'alert' })
  })
  return { isPending, start: (input: Input) => (isPending ? undefined : mutate(input)) }
}
