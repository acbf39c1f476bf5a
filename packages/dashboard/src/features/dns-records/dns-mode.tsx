import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './dns-records.module.css'
import { dnsRecordMessages } from './dns-records.messages.ts'

export function DnsMode({ domain: { id, dnsMode } }: { domain: Schema<'Domain'> }) {
  const t = useMessages(dnsRecordMessages)
  const [check, setCheck] = useState<Schema<'DelegationCheck'>>()
  const [isUnchecked, setIsUnchecked] = useState(false)
  const path = { path: { id } }
  const isManaged = dnsMode === 'MANAGED'
  const ask = useAction({
    run: () => data(api.POST('/api/domains/{id}/dns-mode/check', { params: path })),
    invalidates: [],
    onDone: (result) => setCheck(result)
  })
  const change = useAction({
    run: () => data(api.PATCH('/api/domains/{id}/dns-mode', { params: path, body: isManaged ? { mode: 'CONNECTED' } : { mode: 'MANAGED', skipDelegationCheck: isUnchecked } })), // oxfmt-ignore
    invalidates: [['domains']],
    done: () => t(isManaged ? 'mode.left' : 'mode.taken')
  })
  return (
    <Section
      title={t(isManaged ? 'mode.here' : 'mode.elsewhere')}
      hint={t(isManaged ? 'mode.here.hint' : 'mode.elsewhere.hint')}
    >
      {check && (
        <Notice tone={check.delegated ? 'ok' : 'warn'}>
          <SentenceText by={{ delegation: dnsRecordMessages }} sentences={check.sentences}>
            {check.message}
          </SentenceText>
        </Notice>
      )}
      {check?.expectedNameservers.map((server) => (
        <CopyField key={server} label={t('nameserver')} value={server} />
      ))}
      {!isManaged && (
        <Checkbox
          label={t('mode.skip')}
          description={t('mode.skip.hint')}
          checked={isUnchecked}
          onChange={({ target }) => setIsUnchecked(target.checked)}
        />
      )}
      <div className={classes.row}>
        <Button variant="default" loading={ask.isPending} onClick={() => ask.start()}>
          {t('mode.check')}
        </Button>
        <Button variant="default" loading={change.isPending} onClick={() => change.start()}>
          {t(isManaged ? 'mode.leave' : 'mode.take')}
        </Button>
      </div>
    </Section>
  )
}
