import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { aliasMessages } from './aliases.messages.ts'
import classes from './mailboxes.module.css'

const AliasForm = lazy(() => import('./alias-form.tsx').then((module) => ({ default: module.AliasForm })))

interface CopiesToProps {
  mailbox: Schema<'Mailbox'> & { domainId: string }
  alias: Schema<'MailAlias'> | undefined
}

/** Forwarding is an alias with the mailbox’s own address. */
export function CopiesTo({ mailbox, alias }: CopiesToProps) {
  const t = useMessages(aliasMessages)
  const [isOpen, setOpen] = useState(false)
  const stop = useAction({
    run: (id: string) => data(api.DELETE('/api/mail/aliases/{id}', { params: { path: { id } } })),
    invalidates: [['mailboxes', 'aliases']],
    done: () => t('copies.stopped')
  })
  return (
    <Section title={t('copies')} hint={t('copies.hint')}>
      {alias === undefined ? (
        <p className={classes.text}>{t('copies.none')}</p>
      ) : (
        <ul className={classes.list}>
          {alias.targets.map((target) => (
            <li key={target}>
              <code dir="ltr">{target}</code>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.row}>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t(alias ? 'copies.change' : 'copies.set')}
        </Button>
        {alias && (
          <Button variant="default" loading={stop.isPending} onClick={() => stop.start(alias.id)}>
            {t('copies.stop')}
          </Button>
        )}
      </div>
      {isOpen && (
        <Suspense fallback={null}>
          <AliasForm {...(alias ? { alias } : { of: mailbox })} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Section>
  )
}
