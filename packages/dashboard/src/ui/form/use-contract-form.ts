import { useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import type { ErrorCode } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useOnce } from '../use-once.ts'
import { detailMessages } from './details.messages.ts'
import { problemsOf, refusalsOf, sentencesOf } from './field-errors.ts'

interface ContractForm<Schema extends z.ZodType<Record<string, unknown>, Record<string, unknown>>, Result> {
  /**
   * The API’s own body schema, so that the page and the server report the same errors. Loaded with the form, never on
   * the first page.
   */
  schema: Schema
  initialValues: z.input<Schema>
  send(values: z.output<Schema>): Promise<Result>
  onSaved(result: Result): unknown
  /** Maps conflict codes, which have no details, to fields. */
  fieldOfCode?: Partial<Record<ErrorCode, keyof z.input<Schema> & string>>
}

/** Validates and sends once, and keeps the input on errors. `failure` is an error that belongs to no field. */
export function useContractForm<Schema extends z.ZodType<Record<string, unknown>, Record<string, unknown>>, Result>({
  schema,
  initialValues,
  send,
  onSaved,
  fieldOfCode = {}
}: ContractForm<Schema, Result>) {
  const t = useMessages(detailMessages)
  const [failure, setFailure] = useState<string>()
  /** As typed, for useFollowing: the server may return values in a different order. */
  const lastSaved = useRef<string>(undefined)
  const form = useForm<z.input<Schema>>({
    mode: 'uncontrolled',
    initialValues,
    validate: (values) => {
      const checked = schema.safeParse(values)
      return checked.success ? {} : sentencesOf(t, problemsOf(checked.error))
    }
  })
  const saving = useOnce({
    mutationFn: ({ values }: Sent<z.input<Schema>>) => send(schema.parse(values)),
    onMutate: () => setFailure(undefined),
    onSuccess: (result, { values }) => {
      lastSaved.current = JSON.stringify(values)
      return onSaved(result)
    },
    onError: (error, { element }) => {
      const details = refusalsOf(error, fieldOfCode)
      const known = details.filter(({ path }) => path.split('.')[0]! in initialValues)
      form.setErrors(sentencesOf(t, known))
      if (known.length === 0 || known.length < details.length) setFailure(error.message)
      focusField(element, known[0]?.path)
    }
  })
  const submit = form.onSubmit(
    (values, event) => saving.mutate({ values, element: event?.currentTarget }),
    (errors, _values, event) => focusField(event?.currentTarget, Object.keys(errors)[0])
  )
  return { form, submit, isPending: saving.isPending, failure, lastSaved }
}

interface Sent<Values> {
  values: Values
  /** Another form with the same field names may be behind a dialog. */
  element: HTMLFormElement | undefined
}

/** Mantine sets data-path on inputs. Inputs in a table row are outside of their form element. */
function focusField(form: HTMLFormElement | undefined, path: string | undefined): void {
  if (form === undefined || path === undefined) return
  requestAnimationFrame(() => {
    const fields = [...form.elements, ...form.querySelectorAll<HTMLElement>('[data-path]')] as HTMLElement[]
    fields.find(({ dataset }) => dataset.path === path)?.focus()
  })
}
