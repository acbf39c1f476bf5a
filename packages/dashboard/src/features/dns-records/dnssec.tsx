import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data, isApiError } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './dns-records.module.css'
import { dnsRecordMessages } from './dns-records.messages.ts'
import { dnssecQuery, recordsKey } from './dns-records.queries.ts'

export function Dnssec({ domainId, hostname }: { domainId: string; hostname: string }) {
  const t = useMessages(dnsRecordMessages)
  const { data: dnssec, error } = useQuery(dnssecQuery(domainId))
  const path = { id: useParams({ from: '/signed-in/domains/$domainId/dns' }).domainId }
  const [isRefused, setIsRefused] = useState(false)
  const set = useAction({
    run: (body: { enabled: boolean; force?: true }) =>
      data(api.PUT('/api/domains/{id}/dnssec', { params: { path }, body })).catch((cause: unknown) => {
        if (isApiError(cause, 'DNSSEC_DS_PRESENT')) return undefined
        throw cause
      }),
    invalidates: [recordsKey(domainId)],
    onDone: (result) => setIsRefused(result === undefined)
  })
  return (
    <Section title={t('dnssec')} hint={t('dnssec.hint')}>
      {error && <Notice tone="warn">{error.message}</Notice>}
      {dnssec && (
        <Notice tone={dnssec.enabled && dnssec.dsAtParent === false ? 'warn' : 'info'}>
          <SentenceText by={{ signing: dnsRecordMessages }} sentences={dnssec.sentences}>
            {dnssec.message}
          </SentenceText>
        </Notice>
      )}
      {dnssec?.dsRecords.map(({ text }) => (
        <CopyField key={text} label={t('ds')} value={text} />
      ))}
      {dnssec && (
        <div className={classes.row}>
          <Button variant="default" loading={set.isPending} onClick={() => set.start({ enabled: !dnssec.enabled })}>
            {t(dnssec.enabled ? 'dnssec.off' : 'dnssec.on')}
          </Button>
        </div>
      )}
      {isRefused && (
        <ConfirmName
          title={t('dnssec.force')}
          name={hostname}
          action={t('dnssec.force.do')}
          isPending={set.isPending}
          onConfirm={() => set.start({ enabled: false, force: true })}
          onClose={() => setIsRefused(false)}
        >
          {t('dnssec.force.hint', { hostname })}
        </ConfirmName>
      )}
    </Section>
  )
}
