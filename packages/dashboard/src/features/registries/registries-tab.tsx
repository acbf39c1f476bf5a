import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { SetRegistry } from '@panel/contract/registries'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Foreign } from '../../ui/foreign.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { registryMessages } from './registries.messages.ts'
import { registriesQuery, removeRegistry, saveRegistry } from './registries.queries.ts'

type Registry = Schema<'Registry'>

export function RegistriesTab() {
  const t = useMessages(registryMessages)
  const { data, error, refetch } = useQuery(registriesQuery)
  return (
    <Section title={t('title')} hint={t('hint')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsSkeleton rows={2} />}
      {data?.registries.length === 0 && <EmptyState title={t('none')} hint={t('none.hint')} />}
      {data && data.registries.length > 0 && <RegistryTable registries={data.registries} />}
      <RegistryForm />
    </Section>
  )
}

function RegistryTable({ registries }: { registries: readonly Registry[] }) {
  const t = useMessages(registryMessages)
  return (
    <table className={`${card.table} ${card.cards}`}>
      <thead>
        <tr>
          <th scope="col">{t('host')}</th>
          <th scope="col">{t('username')}</th>
          <th scope="col">{t('changed')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {registries.map((registry) => (
          <tr key={registry.id}>
            <td>
              <Foreign dir="ltr">{registry.host}</Foreign>
            </td>
            <td>
              <Foreign>{registry.username}</Foreign>
            </td>
            <td className={card.sub}>
              <Time at={registry.updatedAt} />
            </td>
            <td className={card.end}>
              <RemoveButton registry={registry} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RemoveButton({ registry }: { registry: Registry }) {
  const t = useMessages(registryMessages)
  const { host } = registry
  const removing = useAction({
    run: removeRegistry,
    invalidates: [['registries']],
    done: () => t('removed', { host })
  })
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={removing.isPending}
      aria-label={t('remove.one', { host })}
      onClick={() => removing.start(registry)}
    >
      {t('remove')}
    </Button>
  )
}

function RegistryForm() {
  const t = useMessages(registryMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: SetRegistry,
    initialValues: { host: '', username: '', secret: '' },
    send: saveRegistry,
    onSaved: async ({ host }) => {
      form.reset()
      await client.invalidateQueries({ queryKey: ['registries'] })
      notifications.show({ message: t('saved', { host }), role: 'status' })
    }
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form} aria-label={t('save')}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput
          key={form.key('host')}
          label={t('host')}
          description={t('host.hint')}
          placeholder="ghcr.io"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('host')}
        />
        <TextInput
          key={form.key('username')}
          label={t('username')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('username')}
        />
        <PasswordInput
          key={form.key('secret')}
          label={t('secret')}
          description={t('secret.hint')}
          autoComplete="off"
          {...form.getInputProps('secret')}
        />
        <div>
          <Button type="submit" loading={isPending}>
            {t('save')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
