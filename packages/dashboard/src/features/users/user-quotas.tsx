import { Button, Checkbox, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ChangeQuotas } from '@panel/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { useFollowing } from '../../ui/form/use-following.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { QuotaFields } from './quota-fields.tsx'
import { userMessages } from './users.messages.ts'
import type { Account } from './users.queries.ts'

export function UserQuotas({ user, isAdmin }: { user: Account; isAdmin: boolean }) {
  const t = useMessages(userMessages)
  const client = useQueryClient()
  const mayOversell = isAdmin && user.role === 'RESELLER'
  const {
    maxProjects,
    maxDomains,
    maxDatabases,
    maxMailboxes,
    maxSubAccounts,
    maxDiskMb,
    maxMemoryMb,
    maxCpus,
    maxTcpPorts,
    oversellingEnabled
  } = user
  const initialValues = {
    maxProjects,
    maxDomains,
    maxDatabases,
    maxMailboxes,
    maxSubAccounts,
    maxDiskMb,
    maxMemoryMb,
    maxCpus,
    maxTcpPorts,
    ...(mayOversell && { oversellingEnabled })
  }
  const { form, submit, isPending, failure } = useContractForm({
    schema: ChangeQuotas,
    initialValues,
    send: (body) => data(api.PATCH('/api/users/{id}/quotas', { params: { path: { id: user.id } }, body })),
    onSaved: async () => {
      notifications.show({ message: t('saved'), role: 'status' })
      await client.invalidateQueries({ queryKey: ['users'] })
    }
  })
  const key = useFollowing(form, initialValues)
  return (
    <Section title={t('quotas')} hint={t('quotas.hint')}>
      <form key={key} onSubmit={submit} noValidate aria-label={t('quotas')}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <QuotaFields propsOf={(name) => form.getInputProps(name)} placeholder={t('noLimit')} />
          {mayOversell && (
            <Checkbox
              label={t('overselling')}
              description={t('overselling.hint')}
              {...form.getInputProps('oversellingEnabled', { type: 'checkbox' })}
            />
          )}
          <div>
            <Button type="submit" variant="default" loading={isPending}>
              {t('save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}
