import { type FormErrors, useForm } from '@mantine/form'
import { useState } from 'react'
import type { z } from 'zod'
import { ApiError, type ErrorCode } from '../../api/client.ts'
import { useOnce } from '../use-once.ts'

interface ContractForm<Schema extends z.ZodType<Record<string, unknown>, Record<string, unknown>>, Result> {
  /** The contract's own schema of the body: the page refuses what the server would, in the same words. Loaded with the form, never with the first page. */
  schema: Schema
  initialValues: z.input<Schema>
  send(values: z.output<Schema>): Promise<Result>
  onSaved(result: Result): unknown
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
  const saving = useOnce({
    mutationFn: ({ values }: Sent<z.input<Schema>>) => send(schema.parse(values)),
    onMutate: () => setFailure(undefined),
    onSuccess: onSaved,
    onError: (error, { element }) => {
      const details = detailsOf(error, fieldOfCode)
      const known = details.filter(({ path }) => path.split('.')[0]! in initialValues)
      form.setErrors(errorsOf(known))
      if (known.length === 0 || known.length < details.length) setFailure(error.message)
      focusField(element, known[0]?.path)
    }
  })
  const submit = form.onSubmit(
    (values, event) => saving.mutate({ values, element: event?.currentTarget }),
    (errors, _values, event) => focusField(event?.currentTarget, Object.keys(errors)[0])
  )
  return { form, submit, isPending: saving.isPending, failure }
}

interface Sent<Values> {
  values: Values
  /** Below a dialog there may be another form with fields of the same names. */
  element: HTMLFormElement | undefined
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

/** Mantine marks each input with data-path. Inputs of a table row lie outside of the form that they name. */
function focusField(form: HTMLFormElement | undefined, path: string | undefined): void {
  if (form === undefined || path === undefined) return
  requestAnimationFrame(() => {
    const fields = [...form.elements, ...form.querySelectorAll<HTMLElement>('[data-path]')] as HTMLElement[]
    fields.find(({ dataset }) => dataset.path === path)?.focus()
  })
}
