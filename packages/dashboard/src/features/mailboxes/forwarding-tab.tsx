import { Button, TextInput } from '@mantine/core'
import { CreateMailAlias } from '@panel/contract/mailboxes'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useDelayedAction } from '../../ui/use-delayed-action.ts'
import { aliasMessages } from './aliases.messages.ts'
import { CopiesTo } from './copies-to.tsx'
import classes from './mailboxes.module.css'
import { domainAliasesQuery } from './mail-domains.queries.ts'
import { mailboxQuery } from './mailboxes.queries.ts'

type Mailbox = Schema<'Mailbox'> & { domainId: string }

export function ForwardingTab() {
  const { mailboxId } = useParams({ from: '/signed-in/mail/$mailboxId/forwarding' })
  const { data: mailbox } = useQuery(mailboxQuery(mailboxId))
  if (!mailbox || mailbox.domainId === null) return <RowsSkeleton />
  return <Forwarding mailbox={{ ...mailbox, domainId: mailbox.domainId }} />
}

function Forwarding({ mailbox }: { mailbox: Mailbox }) {
  const { data: aliases, error, refetch } = useQuery(domainAliasesQuery(mailbox.domainId))
  if (error && !aliases) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!aliases) return <RowsSkeleton />
  const { address, localPart } = mailbox
  const others = aliases.filter((alias) => alias.localPart !== localPart && alias.targets.includes(address))
  const own = aliases.find((alias) => alias.localPart === localPart)
  return (
    <>
      <OtherAddresses mailbox={mailbox} aliases={others} />
      <CopiesTo mailbox={mailbox} alias={own} />
    </>
  )
}

function OtherAddresses({ mailbox, aliases }: { mailbox: Mailbox; aliases: readonly Schema<'MailAlias'>[] }) {
  const t = useMessages(aliasMessages)
  const drop = useDelayedAction({
    run: ({ id, targets }: Schema<'MailAlias'>) => {
      const params = { path: { id } }
      const rest = targets.filter((target) => target !== mailbox.address)
      return rest.length === 0
        ? data(api.DELETE('/api/mail/aliases/{id}', { params }))
        : data(api.PATCH('/api/mail/aliases/{id}', { params, body: { targets: rest } }))
    },
    invalidates: [['mailboxes', 'aliases']],
    doneMessage: ({ address }) => t('more.dropped', { address })
  })
  const shown = aliases.filter(({ id }) => !drop.pending.has(id))
  return (
    <Section title={t('more')} hint={t('more.hint')}>
      {shown.length === 0 && <p className={classes.text}>{t('more.none')}</p>}
      <ul className={classes.list}>
        {shown.map((alias) => (
          <li key={alias.id}>
            <code dir="ltr">{alias.address}</code>
            <IconButton label={t('more.drop', { address: alias.address })} onClick={() => drop.start(alias)}>
              <IconTrash size={16} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <AddAddress mailbox={mailbox} />
    </Section>
  )
}

function AddAddress({ mailbox: { domainId, address } }: { mailbox: Mailbox }) {
  const t = useMessages(aliasMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateMailAlias,
    initialValues: { localPart: '', domainId, targets: [address] },
    send: (body) => data(api.POST('/api/mail/aliases', { body })),
    onSaved: () => {
      form.reset()
      void client.invalidateQueries({ queryKey: ['mailboxes', 'aliases'] })
    },
    fieldOfCode: { MAIL_ALIAS_EXISTS: 'localPart', MAIL_ALIAS_LOOP: 'localPart' }
  })
  return (
    <form onSubmit={submit} noValidate>
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <div className={classes.row}>
        <TextInput
          label={t('localPart')}
          description={t('localPart.hint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          {...form.getInputProps('localPart')}
          key={form.key('localPart')}
        />
        <Button type="submit" variant="default" loading={isPending}>
          {t('more.add')}
        </Button>
      </div>
    </form>
  )
}
