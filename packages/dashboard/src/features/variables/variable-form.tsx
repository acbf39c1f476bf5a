import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { EnvKey, EnvValue } from '@panel/contract/env-vars'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { variableMessages } from './variables.messages.ts'
import { variablesKey } from './variables.queries.ts'

const Variable = z.object({ key: EnvKey, value: EnvValue, sensitive: z.boolean() })

interface VariableFormProps {
  projectId: string
  /** Edits this variable; without it, adds one or replaces one with the same name. */
  variable?: z.infer<typeof Variable>
  onSaved(variable: { key: string }): void
  onCancel?(): void
}

export function VariableForm({ projectId, variable, onSaved, onCancel }: VariableFormProps) {
  const t = useMessages(variableMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: Variable,
    initialValues: {
      key: variable?.key ?? '',
      value: variable?.value ?? '',
      sensitive: variable?.sensitive ?? true
    },
    send: async (body) => {
      await data(api.POST('/api/projects/{id}/env', { params: { path: { id: projectId } }, body }))
      return body
    },
    onSaved: async ({ key }) => {
      notifications.show({ message: t('saved', { key }), role: 'status' })
      form.reset()
      await client.invalidateQueries({ queryKey: variablesKey(projectId) })
      onSaved({ key })
    }
  })
  return (
    <form
      onSubmit={submit}
      noValidate
      className={formClasses.form}
      aria-label={variable ? t('edit', { key: variable.key }) : t('add')}
      onKeyDown={({ key }) => key === 'Escape' && onCancel?.()}
    >
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput
          label={t('key')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          readOnly={variable !== undefined}
          {...form.getInputProps('key')}
          key={form.key('key')}
        />
        <Textarea
          label={t('value')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          autosize
          minRows={2}
          maxRows={12}
          autoFocus={variable !== undefined}
          {...form.getInputProps('value')}
          key={form.key('value')}
        />
        <Checkbox
          label={t('sensitive')}
          description={t('sensitive.hint')}
          {...form.getInputProps('sensitive', { type: 'checkbox' })}
          key={form.key('sensitive')}
        />
        <Group gap="xs">
          <Button type="submit" loading={isPending}>
            {t('save')}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {ui('cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
