import { Button, Modal, NativeSelect, NumberInput, Stack } from '@mantine/core'
import { CreateTcpPort, tcpPortKinds } from '@panel/contract/tcp-ports'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { optionalNumber } from '../../ui/form/optional-number.ts'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { tcpPortMessages } from './tcp-ports.messages.ts'
import { publishTcpPort, type TcpPortList, tcpPortsKey } from './tcp-ports.queries.ts'

interface TcpPortFormProps {
  projectId: string
  list: TcpPortList
  onClose(): void
}

export function TcpPortForm({ projectId, list: { range, tlsPort }, onClose }: TcpPortFormProps) {
  const t = useMessages(tcpPortMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const kinds = tcpPortKinds.filter((each) => (each === 'PORT' ? range : tlsPort) !== null)
  const [kind, setKind] = useState(kinds[0] ?? 'PORT')
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateTcpPort,
    initialValues: { kind, containerPort: 1883, publishedPort: null as number | null },
    send: ({ publishedPort, ...values }) =>
      publishTcpPort(projectId, { ...values, publishedPort: values.kind === 'TLS' ? null : publishedPort }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: tcpPortsKey(projectId) })
      onClose()
    }
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('add')}
      closeOnClickOutside={!form.isDirty()}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <NumberInput
            label={t('containerPort')}
            description={t('containerPort.hint')}
            min={1}
            max={65_535}
            allowDecimal={false}
            data-autofocus
            {...form.getInputProps('containerPort')}
          />
          <NativeSelect
            label={t('kind')}
            description={t(`kind.${kind}.hint`)}
            data={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
            value={kind}
            onChange={({ currentTarget: { value } }) => {
              setKind(value as typeof kind)
              form.setFieldValue('kind', value as typeof kind)
            }}
          />
          {range && kind === 'PORT' && (
            <NumberInput
              label={t('publishedPort')}
              description={t('publishedPort.hint', { first: String(range.first), last: String(range.last) })}
              placeholder={t('publishedPort.any')}
              min={range.first}
              max={range.last}
              allowDecimal={false}
              {...optionalNumber(form.getInputProps('publishedPort'))}
            />
          )}
          <Button type="submit" loading={isPending}>
            {t('add')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
