import { Button, Modal, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import { CreateJoinCommand, CreateMachine } from '@panel/contract/machines'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { z } from 'zod'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { machineMessages } from './machines.messages.ts'
import { addMachine, createJoinCommand, machineKeyQuery, machinesKey, machinesQuery } from './machines.queries.ts'

interface FormProps {
  onClose(): void
}

export function MachineForm({ onClose }: FormProps) {
  const t = useMessages(machineMessages)
  const ui = useMessages(uiMessages)
  const [isByHand, setByHand] = useState(false)
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t('add')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      {isByHand ? <ByHand onClose={onClose} /> : <ByCommand onClose={onClose} onByHand={() => setByHand(true)} />}
    </Modal>
  )
}

const choices = { auto: undefined, on: true, off: false } as const
type Choice = keyof typeof choices

/** Of the values of the field below. */
const isEncrypted = z.preprocess((choice: Choice) => choices[choice], z.boolean().optional())

function EncryptionField(props: { value?: string; onChange?: (event: ChangeEvent<HTMLSelectElement>) => void }) {
  const t = useMessages(machineMessages)
  return (
    <NativeSelect
      label={t('encryption.add')}
      description={t('encryption.add.hint')}
      data={(Object.keys(choices) as Choice[]).map((value) => ({ value, label: t(`encryption.${value}`) }))}
      {...props}
    />
  )
}

const auto: Choice = 'auto'

/** An empty field means none. */
const JoinInput = CreateJoinCommand.extend({
  host: z.preprocess((text) => (text === '' ? null : text), CreateJoinCommand.shape.host),
  isEncrypted
})
const MachineInput = CreateMachine.extend({ isEncrypted })

function ByCommand({ onClose, onByHand }: FormProps & { onByHand(): void }) {
  const t = useMessages(machineMessages)
  const [join, setJoin] = useState<{ name: string; command: string }>()
  const { form, submit, isPending, failure } = useContractForm({
    schema: JoinInput,
    initialValues: { name: '', host: '', isEncrypted: auto },
    send: async (input) => ({ ...(await createJoinCommand(input)), name: input.name }),
    onSaved: setJoin
  })
  if (join) return <WaitingForMachine {...join} onClose={onClose} />
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <p>{t('join.hint')}</p>
        <TextInput label={t('name')} description={t('name.hint')} {...form.getInputProps('name')} />
        <TextInput label={t('address')} description={t('join.address')} {...form.getInputProps('host')} />
        <EncryptionField {...form.getInputProps('isEncrypted')} />
        <Button type="submit" loading={isPending}>
          {t('join.create')}
        </Button>
        <Button variant="subtle" onClick={onByHand}>
          {t('join.byHand')}
        </Button>
      </Stack>
    </form>
  )
}

const lookEveryMs = 3_000

function WaitingForMachine({ name, command, onClose }: FormProps & { name: string; command: string }) {
  const t = useMessages(machineMessages)
  const { data: list } = useQuery({ ...machinesQuery, refetchInterval: lookEveryMs })
  const isThere = list?.machines.some((machine) => machine.name === name) === true
  return (
    <Stack gap="md">
      <CopyField label={t('command')} value={command} />
      <p role="status">{t(isThere ? 'join.done' : 'join.waiting', { name })}</p>
      <Button variant={isThere ? 'filled' : 'default'} onClick={onClose}>
        {t('join.close')}
      </Button>
    </Stack>
  )
}

function ByHand({ onClose }: FormProps) {
  const t = useMessages(machineMessages)
  const client = useQueryClient()
  const { data: key, error, refetch } = useQuery(machineKeyQuery)
  const { form, submit, isPending, failure } = useContractForm({
    schema: MachineInput,
    initialValues: { name: '', host: '', port: 22, hostKey: '', isEncrypted: auto },
    send: addMachine,
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: machinesKey, exact: true })
      onClose()
    },
    fieldOfCode: { CONFLICT: 'name' }
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <p>{t('add.hint')}</p>
        {error && !key && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!key && !error && <RowsSkeleton rows={1} />}
        {key && <CopyField label={t('command')} value={key.command} />}
        <TextInput label={t('hostKey')} description={t('hostKey.hint')} {...form.getInputProps('hostKey')} />
        <TextInput label={t('address')} description={t('address.hint')} {...form.getInputProps('host')} />
        <NumberInput label={t('port')} min={1} max={65_535} allowDecimal={false} {...form.getInputProps('port')} />
        <TextInput label={t('name')} description={t('name.hint')} {...form.getInputProps('name')} />
        <EncryptionField {...form.getInputProps('isEncrypted')} />
        <Button type="submit" loading={isPending}>
          {t('add')}
        </Button>
      </Stack>
    </form>
  )
}
