import { type FormErrors, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { ApiError, type ErrorCode } from '../../api/client.ts'

interface ContractForm<Schema extends z.ZodType<Record<string, unknown>, Record<string, unknown>>, Result> {
  /** The contract's own schema of the body: the page refuses what the server would, in the same words. Loaded with the form, never with the first page. */
  schema: Schema
  initialValues: z.input<Schema>
  send(values: z.output<Schema>): Promise<Result>
  onSaved(result: Result): void
  /** Conflicts come with a code and no details: which field each is about. */
  fieldOfCode?: Partial<Record<ErrorCode, keyof z.input<Schema> & string>>
}

/** Checks when it is sent, sends once, and keeps what was typed whatever the answer. `failure` is what belongs to no field. */
export function useContractForm<Schema extends z.ZodType<Record<string, unknown>, Record<string, unknown>>, Result>({
  schema,
  initialValues,
  send,
  onSaved,
  fieldOfCode = {}
}: ContractForm<Schema, Result>) {
  const [failure, setFailure] = useState<string>()
  const form = useForm<z.input<Schema>>({
    mode: 'uncontrolled',
    initialValues,
    validate: (values) => {
      const checked = schema.safeParse(values)
      if (checked.success) return {}
      return errorsOf(checked.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
    }
  })
  const saving = useMutation({
    mutationFn: (values: z.input<Schema>) => send(schema.parse(values)),
    onMutate: () => setFailure(undefined),
    onSuccess: onSaved,
    onError: (error) => {
      const details = detailsOf(error, fieldOfCode)
      const known = details.filter(({ path }) => path.split('.')[0]! in initialValues)
      form.setErrors(errorsOf(known))
      if (known.length === 0 || known.length < details.length) setFailure(error.message)
      focusFirst(known[0]?.path)
    }
  })
  const submit = form.onSubmit(
    (values) => {
      if (!saving.isPending) saving.mutate(values)
    },
    (errors) => focusFirst(Object.keys(errors)[0])
  )
  return { form, submit, isPending: saving.isPending, failure }
}

interface Detail {
  path: string
  message: string
}

function detailsOf(error: Error, fieldOfCode: Partial<Record<ErrorCode, string>>): readonly Detail[] {
  if (!(error instanceof ApiError)) return []
  const field = error.code === undefined ? undefined : fieldOfCode[error.code]
  return field === undefined ? (error.details ?? []) : [{ path: field, message: error.message }]
}

/** Of several about one field the first is shown. */
const errorsOf = (details: readonly Detail[]): FormErrors =>
  Object.fromEntries([...details].reverse().map(({ path, message }) => [path, capitalized(message)]))

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Mantine marks each input with data-path. */
function focusFirst(path: string | undefined): void {
  if (path === undefined) return
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus())
}
