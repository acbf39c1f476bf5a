import { Button, Modal, NumberInput, Stack, TextInput } from '@mantine/core'
import { CreateProcess } from '@panel/contract/processes'
import { useQueryClient } from '@tanstack/react-query'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { processMessages } from './processes.messages.ts'
import { changeProcess, createProcess, processesKey, type ProjectProcess } from './processes.queries.ts'

interface ProcessFormProps {
  projectId: string
  process: ProjectProcess | undefined
  onClose(): void
}

type Values = Schema<'CreateProcess'>

export function ProcessForm({ projectId, process, onClose }: ProcessFormProps) {
  const t = useMessages(processMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateProcess,
    initialValues: settingsOf(process),
    send: (values) =>
      process ? changeProcess(projectId, process.name, changesOf(process, values)) : createProcess(projectId, values),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: processesKey(projectId) })
      onClose()
    }
  })
  const size = (member: 'memoryMb' | 'cpus') => ({
    defaultValue: form.getInitialValues()[member] ?? '',
    onChange: (value: string | number) => form.setFieldValue(member, value === '' ? null : Number(value)),
    error: form.errors[member],
    'data-path': member
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={process ? t('edit', { name: process.name }) : t('add')}
      closeOnClickOutside={!form.isDirty()}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          {!process && (
            <TextInput label={t('name')} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
          )}
          <TextInput
            label={t('command')}
            description={t('command.hint')}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('command')}
          />
          <div className={formClasses.pair}>
            <NumberInput
              label={t('instances')}
              min={0}
              max={100}
              allowDecimal={false}
              {...form.getInputProps('instances')}
            />
            <NumberInput
              label={t('memory.each')}
              description={t('size.hint')}
              min={16}
              allowDecimal={false}
              hideControls
              {...size('memoryMb')}
            />
            <NumberInput label={t('cpu.each')} description={t('size.hint')} hideControls {...size('cpus')} />
          </div>
          <Button type="submit" loading={isPending}>
            {t(process ? 'save' : 'add')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

const settingsOf = (process: ProjectProcess | undefined): Values => ({
  name: process?.name ?? '',
  command: process?.command ?? '',
  instances: process?.instances ?? 1,
  memoryMb: process?.memoryMb ?? null,
  cpus: process?.cpus ?? null
})

/** Without what stays as it is: a limit of the server must not become the worker's own. */
function changesOf(process: ProjectProcess, { command, instances, memoryMb, cpus }: Values): Schema<'UpdateProcess'> {
  return {
    ...(command !== process.command && { command: command === process.procfileCommand ? null : command }),
    ...(instances !== process.instances && instances !== undefined && { instances }),
    ...(memoryMb !== process.memoryMb && memoryMb !== undefined && { memoryMb }),
    ...(cpus !== process.cpus && cpus !== undefined && { cpus })
  }
}
