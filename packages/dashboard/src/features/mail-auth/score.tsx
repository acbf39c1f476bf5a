import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge, StatusShape } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useAction } from '../../ui/use-action.ts'
import classes from './mail-auth.module.css'
import { mailAuthMessages } from './mail-auth.messages.ts'
import { mailAuthKey, type MailDomain } from './mail-auth.queries.ts'
import { ServerCheck } from './server-check.tsx'

const grades: Record<
  MailDomain['deliverabilityGrade'],
  { tone: Tone; label: 'grade.best' | 'grade.good' | 'grade.low' | 'grade.poor' }
> = {
  // oxfmt-ignore
  Excellent: { tone: 'ok', label: 'grade.best' },
  Good: { tone: 'ok', label: 'grade.good' },
  'Needs Improvement': { tone: 'warn', label: 'grade.low' },
  Poor: { tone: 'bad', label: 'grade.poor' }
}
const checks = ['spf', 'dkim', 'dmarc', 'mx'] as const

export function Score({ mail }: { mail: MailDomain }) {
  const t = useMessages(mailAuthMessages)
  const [server, setServer] = useState<Schema<'MailServerCheck'>>()
  const { domainId, dnsMode, deliverabilityScore: score, mailboxCount } = mail
  const params = { path: { domainId } }
  const check = useAction({
    run: () => data(api.POST('/api/mail/auth/{domainId}/check', { params })),
    invalidates: [mailAuthKey(domainId)],
    onDone: (result) => setServer(result.server)
  })
  const make = useAction({
    run: () => data(api.POST('/api/mail/auth/{domainId}/regenerate', { params })),
    invalidates: [['domains', domainId]],
    done: (result) => t('made', { score: result.deliverabilityScore })
  })
  const grade = grades[mail.deliverabilityGrade]
  return (
    <>
      <Section
        title={t('score')}
        hint={t(`score.${dnsMode}`)}
        actions={<StatusBadge tone={grade.tone}>{t(grade.label)}</StatusBadge>}
      >
        <Facts
          rows={[
            { name: t('score.points'), value: t('score.of', { score }) },
            {
              name: t('mailboxes'),
              value: (
                <Link to="/mail" search={{ domain: domainId }}>
                  {t('mailboxes.count', { count: mailboxCount })}
                </Link>
              )
            },
            ...(mail.checkedAt === null ? [] : [{ name: t('checked'), value: <Time at={mail.checkedAt} /> }])
          ]}
        />
        <ul className={classes.checks}>
          {checks.map((name) => {
            const { status, detail, sentences } = mail.authChecks[name]
            return (
              <li key={name}>
                <span className={classes.mark} data-tone={status === 'pass' ? 'ok' : 'bad'}>
                  <StatusShape tone={status === 'pass' ? 'ok' : 'bad'} />
                </span>
                <strong>{name.toUpperCase()}</strong>
                <span className="vh">{t(status)}</span>
                <span className={classes.detail} dir="ltr">
                  <SentenceText by={{ check: mailAuthMessages }} sentences={sentences}>
                    {detail}
                  </SentenceText>
                </span>
              </li>
            )
          })}
        </ul>
        <div className={classes.row}>
          <Button variant="default" loading={check.isPending} onClick={() => check.start()}>
            {t('check')}
          </Button>
          {score < 100 && dnsMode === 'MANAGED' && (
            <Button variant="default" loading={make.isPending} onClick={() => make.start()}>
              {t('make')}
            </Button>
          )}
        </div>
      </Section>
      {server && <ServerCheck server={server} />}
    </>
  )
}
