import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { AllowNetwork } from '@panel/contract/bans'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { firewallQuery } from '../firewall/firewall.queries.ts'
import { banMessages } from './bans.messages.ts'
import { allow, allowListQuery, disallow } from './bans.queries.ts'
import { RemovableTable } from './removable-table.tsx'

export function AllowList() {
  const t = useMessages(banMessages)
  const { data, error, refetch } = useQuery(allowListQuery)
  return (
    <Section title={t('allowList')} hint={t('allowList.hint')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsSkeleton rows={2} />}
      {data && data.networks.length > 0 && (
        <RemovableTable
          columns={[
            { title: t('network'), cell: ({ network }) => <code>{network}</code> },
            { title: t('note'), cell: ({ note }) => <Foreign>{note}</Foreign> }
          ]}
          entries={data.networks}
          remove={disallow}
          removeLabel={({ network }) => t('disallow.one', { network })}
          removedMessage={({ network }) => t('disallowed', { network })}
        />
      )}
      <AllowForm />
    </Section>
  )
}

function AllowForm() {
  const t = useMessages(banMessages)
  const client = useQueryClient()
  const yourAddress = useQuery(firewallQuery).data?.yourAddress
  const { form, submit, isPending, failure } = useContractForm({
    schema: AllowNetwork,
    initialValues: { network: '', note: '' },
    send: allow,
    fieldOfCode: { CONFLICT: 'network' },
    onSaved: async ({ network }) => {
      form.reset()
      await client.invalidateQueries({ queryKey: ['firewall', 'bans'] })
      notifications.show({ message: t('allowed', { network }), role: 'status' })
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <Group align="flex-start" gap="sm">
          <TextInput
            key={form.key('network')}
            label={t('network')}
            placeholder="203.0.113.0/24"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.getInputProps('network')}
          />
          <TextInput key={form.key('note')} label={t('note')} autoComplete="off" {...form.getInputProps('note')} />
        </Group>
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t('allow')}
          </Button>
          {yourAddress && (
            <Button variant="default" onClick={() => form.setFieldValue('network', yourAddress)}>
              {t('allow.mine')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
