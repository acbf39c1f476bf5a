import { Button, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import type { z } from 'zod'
import { api, data, type ErrorCode, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { useFollowing } from '../../ui/form/use-following.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { projectSettingsMessages } from './project-settings.messages.ts'

type Body = Schema<'UpdateProject'>

export const saveProject = (id: string, body: Body) =>
  data(api.PUT('/api/projects/{id}', { params: { path: { id } }, body }))

interface ProjectForm<Values extends z.ZodType<Record<string, unknown>, Record<string, unknown>>> {
  project: Schema<'Project'>
  schema: Values
  initialValues: z.input<Values>
  bodyOf(values: z.output<Values>): Body
  /** Default: saved. */
  saved?: 'saved' | 'size.saved' | 'sleep.saved'
  fieldOfCode?: Partial<Record<ErrorCode, keyof z.input<Values> & string>>
}

/** A form of some settings of a project. `frame` is for `SettingsForm`. */
export function useProjectForm<Values extends z.ZodType<Record<string, unknown>, Record<string, unknown>>>({
  project,
  schema,
  initialValues,
  bodyOf,
  saved = 'saved',
  fieldOfCode = {}
}: ProjectForm<Values>) {
  const t = useMessages(projectSettingsMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema,
    initialValues,
    send: (values) => saveProject(project.id, bodyOf(values)),
    onSaved: async () => {
      notifications.show({ message: t(saved), role: 'status' })
      await client.invalidateQueries({ queryKey: ['projects'] })
    },
    fieldOfCode
  })
  return { form, frame: { formKey: useFollowing(form, initialValues), submit, isPending, failure } }
}

interface SettingsFormProps {
  title: string
  hint?: string
  frame: {
    formKey: string
    submit(event?: FormEvent<HTMLFormElement>): void
    isPending: boolean
    failure: string | undefined
  }
  /** The fields. */
  children: ReactNode
  /** Buttons after the one that saves. */
  actions?: ReactNode
}

export function SettingsForm({
  title,
  hint,
  frame: { formKey, submit, isPending, failure },
  children,
  actions
}: SettingsFormProps) {
  const t = useMessages(projectSettingsMessages)
  return (
    <Section title={title} {...(hint !== undefined && { hint })}>
      <form key={formKey} onSubmit={submit} noValidate className={formClasses.form} aria-label={title}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          {children}
          <Group>
            <Button type="submit" loading={isPending}>
              {t('save')}
            </Button>
            {actions}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
