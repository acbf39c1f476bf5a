import { Button, Checkbox, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { EnvKey, EnvValue, VariableScope, variableScopes } from '@panel/contract/env-vars'
import { ProcessName } from '@panel/contract/processes'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { ChangesSummary } from './changes-summary.tsx'
import { variableMessages } from './variables.messages.ts'
import {
  type EnvChanges,
  type Holder,
  previewVariable,
  saveVariable,
  type Variable,
  variablesKey
} from './variables.queries.ts'

/** Names separated by commas; none for all processes. */
const Processes = z.string().transform((text, context) => {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  const problem = names.map((name) => ProcessName.safeParse(name).error?.issues[0]).find((issue) => issue)
  if (problem) context.addIssue({ code: 'custom', message: problem.message })
  return names.length === 0 ? null : names
})
const Entry = z.object({
  key: EnvKey,
  value: EnvValue,
  sensitive: z.boolean(),
  scope: VariableScope,
  processes: Processes
})

const examples = { variable: '${{KEY}}', group: '${{group.KEY}}', database: '${{database.url}}', text: '$${{' }

interface VariableFormProps {
  holder: Holder
  /** Edits this variable; without it, adds one or replaces one with the same name. */
  variable?: Variable & { value: string }
  onSaved(variable: { key: string }): void
  onCancel?(): void
}

export function VariableForm({ holder, variable, onSaved, onCancel }: VariableFormProps) {
  const t = useMessages(variableMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const [changes, setChanges] = useState<EnvChanges>()
  // A ref, because the form is submitted before the next render.
  const intent = useRef<'save' | 'preview'>('save')
  const { form, submit, isPending, failure } = useContractForm({
    schema: Entry,
    initialValues: {
      key: variable?.key ?? '',
      value: variable?.value ?? '',
      sensitive: variable?.sensitive ?? true,
      scope: variable?.scope ?? 'BOTH',
      processes: variable?.processes?.join(', ') ?? ''
    },
    send: async (entry) => {
      if (intent.current === 'preview') return { preview: await previewVariable(holder, entry) }
      await saveVariable(holder, entry)
      return { key: entry.key }
    },
    onSaved: async (result) => {
      if ('preview' in result) return setChanges(result.preview)
      setChanges(undefined)
      notifications.show({ message: t('saved', { key: result.key }), role: 'status' })
      form.reset()
      await client.invalidateQueries({ queryKey: variablesKey(holder) })
      onSaved({ key: result.key })
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
          description={t('value.hint', examples)}
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
        <NativeSelect
          label={t('scope')}
          data={variableScopes.map((scope) => ({ value: scope, label: t(`scope.${scope}`) }))}
          {...form.getInputProps('scope')}
          key={form.key('scope')}
        />
        <TextInput
          label={t('processes')}
          description={t('processes.hint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('processes')}
          key={form.key('processes')}
        />
        {changes && <ChangesSummary changes={changes} withKeys />}
        <Group gap="xs">
          <Button type="submit" loading={isPending} onClick={() => void (intent.current = 'save')}>
            {t('save')}
          </Button>
          <Button
            type="submit"
            variant="default"
            disabled={isPending}
            onClick={() => void (intent.current = 'preview')}
          >
            {t('paste.preview')}
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
