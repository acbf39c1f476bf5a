import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { safeUrl } from '../../ui/safe-url.ts'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import classes from './mail-auth.module.css'
import { mailAuthMessages } from './mail-auth.messages.ts'

const reverseTones = { pass: 'ok', fail: 'bad', unknown: 'idle' } as const satisfies Record<string, Tone>
const listTones = { clear: 'ok', listed: 'bad', refused: 'idle', unknown: 'idle' } as const satisfies Record<string, Tone> // oxfmt-ignore

export function ServerCheck({ server: { hostname, spf, addresses } }: { server: Schema<'MailServerCheck'> }) {
  const t = useMessages(mailAuthMessages)
  return (
    <Section title={t('server')} hint={t('server.hint', { hostname })}>
      {addresses.length === 0 && <p className={classes.text}>{t('server.none')}</p>}
      {addresses.length > 0 && (
        <ul className={classes.checks}>
          <li>
            <StatusBadge tone={spf.status === 'pass' ? 'ok' : 'bad'}>{t('server.spf')}</StatusBadge>
            <strong dir="ltr">{hostname}</strong>
            <span className={classes.detail}>
              <SentenceText by={{ check: mailAuthMessages }} sentences={spf.sentences}>
                {spf.detail}
              </SentenceText>
            </span>
          </li>
        </ul>
      )}
      {addresses.map(({ address, reverseDns, blocklists }) => (
        <ul key={address} className={classes.checks}>
          <li>
            <StatusBadge tone={reverseTones[reverseDns.status]}>{t('server.reverse')}</StatusBadge>
            <strong dir="ltr">{address}</strong>
            <span className={classes.detail}>
              <SentenceText by={{ reverse: mailAuthMessages }} sentences={reverseDns.sentences}>
                {reverseDns.detail}
              </SentenceText>
            </span>
          </li>
          {blocklists.map(({ zone, status, detail, sentences, website }) => (
            <li key={zone}>
              <StatusBadge tone={listTones[status]}>{t(`list.${status}`)}</StatusBadge>
              <strong dir="ltr">{zone}</strong>
              <span className={classes.detail}>
                <SentenceText by={{ listing: mailAuthMessages }} sentences={sentences}>
                  {detail}
                </SentenceText>{' '}
                {website !== null && (
                  <a href={safeUrl(website)} target="_blank" rel="noreferrer">
                    {t('list.why')}
                  </a>
                )}
              </span>
            </li>
          ))}
        </ul>
      ))}
    </Section>
  )
}
