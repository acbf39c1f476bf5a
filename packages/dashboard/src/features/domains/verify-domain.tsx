import { Button, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import classes from './verify-domain.module.css'
import { proofMessages } from '../../ui/shared-texts/proof.messages.ts'
import { domainMessages } from './domains.messages.ts'
import { verificationQuery } from './domains.queries.ts'
import { seenAs } from './verification.ts'

interface VerifyDomainProps {
  domainId: string
  instructions: Schema<'VerificationInstructions'>
}

export function VerifyDomain({ domainId, instructions }: VerifyDomainProps) {
  const t = useMessages(domainMessages)
  const client = useQueryClient()
  const { data: result, error, refetch } = useQuery(verificationQuery(domainId))
  // Polling must not show the button as busy.
  const [isRequested, setRequested] = useState(false)
  const ask = async () => {
    setRequested(true)
    await refetch()
    setRequested(false)
  }
  const isVerified = result?.verified ?? false
  useEffect(() => {
    if (isVerified) void client.invalidateQueries({ queryKey: ['domains'] })
  }, [isVerified, client])
  const { routingRecord, ...proof } = instructions
  const seen = result?.detectedRecords ?? []
  // TXT records of the hostname itself are relevant only if they hold the token.
  const proofs = seen.filter(
    ({ recordType, recordName, values }) =>
      recordType === 'TXT' && (recordName === proof.recordName || values.includes(proof.recordValue))
  )
  return (
    <Section
      title={t('verify')}
      hint={t('verify.hint')}
      actions={
        <Button loading={isRequested} onClick={() => void ask()}>
          {t('verify.check')}
        </Button>
      }
    >
      <Stack gap="md">
        {error ? (
          <Notice tone="warn">{error.message}</Notice>
        ) : (
          result && (
            <Notice tone={isVerified ? 'ok' : 'warn'}>
              <SentenceText by={{ proof: proofMessages }} sentences={result.sentences}>
                {result.message}
              </SentenceText>
            </Notice>
          )
        )}
        <Record
          type={proof.recordType}
          name={proof.recordName}
          value={proof.recordValue}
          title={t('verify.proof')}
          seen={proofs}
        />
        <Record
          type={routingRecord.recordType}
          name={routingRecord.recordName}
          value={routingRecord.publicIp}
          title={t('verify.route')}
          seen={seen.filter(({ recordType }) => recordType === 'A')}
        />
        <p className={classes.note}>{t('verify.again')}</p>
      </Stack>
    </Section>
  )
}

interface RecordProps {
  type: string
  name: string
  value: string
  title: string
  seen: readonly Schema<'DetectedRecord'>[]
}

function Record({ type, name, value, title, seen }: RecordProps) {
  const t = useMessages(domainMessages)
  return (
    <div role="group" aria-label={title} className={classes.record}>
      <strong>
        {title} <span className={classes.note}>{t('verify.type', { type })}</span>
      </strong>
      <CopyField label={t('verify.name')} value={name} />
      <CopyField label={t('verify.value')} value={value} />
      {seen.length > 0 && (
        <ul className={classes.seen} aria-label={t('resolver.all')}>
          {seen.map((record) => (
            <Seen key={`${record.resolver} ${record.recordName}`} record={record} expected={value} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Seen({ record, expected }: { record: Schema<'DetectedRecord'>; expected: string }) {
  const t = useMessages(domainMessages)
  const { resolver, recordName, values, error } = record
  const { word, tone } = seenAs(record, expected)
  return (
    <li>
      <span dir="ltr">{resolver}</span>
      <StatusBadge tone={tone}>{t(word)}</StatusBadge>
      {word !== 'sees.it' && (
        <code dir="ltr" title={recordName}>
          {values.length > 0 ? values.join(', ') : (error ?? '')}
        </code>
      )}
    </li>
  )
}
