import { NumberInput, TextInput } from '@mantine/core'
import { StartCommand } from '@panel/contract/runs'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { parseCommand } from './command-text.ts'
import { runMessages } from './runs.messages.ts'
import { type Run, runsKey, startCommand } from './runs.queries.ts'

export function CommandForm({ projectId, onClose }: { projectId: string; onClose(): void }) {
  const t = useMessages(runMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const contractForm = useContractForm({
    schema: StartCommand,
    initialValues: { command: '', timeoutSeconds: 3600 },
    send: ({ command, timeoutSeconds }) => startCommand(projectId, parseCommand(String(command)), timeoutSeconds),
    onSaved: async ({ id }: Run) => {
      await client.invalidateQueries({ queryKey: runsKey(projectId) })
      onClose()
      await navigate({ to: '/projects/$projectId/jobs', params: { projectId }, search: { d: id } })
    }
  })
  const { form } = contractForm
  return (
    <FormDialog of={contractForm} title={t('command.start')} submitText={t('command.start')} onClose={onClose}>
      <TextInput
        label={t('command')}
        description={t('command.hint')}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('command')}
      />
      <NumberInput
        label={t('timeout')}
        min={1}
        max={86_400}
        allowDecimal={false}
        hideControls
        {...form.getInputProps('timeoutSeconds')}
      />
    </FormDialog>
  )
}
