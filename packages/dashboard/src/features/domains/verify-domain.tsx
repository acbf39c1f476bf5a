import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useAct } from '../../ui/use-act.ts'
import { domainMessages } from './domains.messages.ts'

interface VerifyDomainProps {
  domainId: string
  instructions: Schema<'VerificationInstructions'>
}

/** The records to set, and what each resolver sees of them. */
export function VerifyDomain({ domainId, instructions }: VerifyDomainProps) {
  const t = useMessages(domainMessages)
  const [result, setResult] = useState<Schema<'VerifyResult'>>()
  const verify = useAct({
    run: () => data(api.POST('/api/domains/{id}/verify', { params: { path: { id: domainId } } })),
    stale: [['domains']],
    onDone: setResult
  })
  const { routingRecord, ...proof } = instructions
  return (
    <Section
      title={t('verify')}
      hint={t('verify.hint')}
      actions={
        <Button loading={verify.isPending} onClick={() => verify.start()}>
          {t('verify.check')}
        </Button>
      }
    >
      <Stack gap="md">
        {result && <Notice tone={result.verified ? 'ok' : 'warn'}>{result.message}</Notice>}
        <Record type={proof.recordType} name={proof.recordName} value={proof.recordValue} />
        <Record type={routingRecord.recordType} name={routingRecord.recordName} value={routingRecord.publicIp} />
        {result && <Detected records={result.detectedRecords} />}
      </Stack>
    </Section>
  )
}

function Record({ type, name, value }: { type: string; name: string; value: string }) {
  const t = useMessages(domainMessages)
  return (
    <Stack gap="xs">
      <strong>{t('verify.type', { type })}</strong>
      <CopyField label={t('verify.name')} value={name} />
      <CopyField label={t('verify.value')} value={value} />
    </Stack>
  )
}

function Detected({ records }: { records: readonly Schema<'DetectedRecord'>[] }) {
  const t = useMessages(domainMessages)
  return (
    <div className={card.scroll}>
      <table className={card.table}>
        <thead>
          <tr>
            <th scope="col">{t('resolver')}</th>
            <th scope="col">{t('verify.name')}</th>
            <th scope="col">{t('sees')}</th>
          </tr>
        </thead>
        <tbody>
          {records.map(({ resolver, recordType, recordName, values, error }) => (
            <tr key={`${resolver} ${recordType}`}>
              <td>{resolver}</td>
              <td>
                {recordType} <code>{recordName}</code>
              </td>
              <td>{values.length > 0 ? <code>{values.join(', ')}</code> : (error ?? t('sees.nothing'))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
