import { Button } from '@mantine/core'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Said } from '../../ui/said.tsx'
import { Section } from '../../ui/section.tsx'
import { useAct } from '../../ui/use-act.ts'
import classes from './dns-records.module.css'
import { dnsRecordMessages } from './dns-records.messages.ts'

/** Whether the name servers of this panel answer for the domain, or others do. */
export function DnsMode({ domain: { id, dnsMode } }: { domain: Schema<'Domain'> }) {
  const t = useMessages(dnsRecordMessages)
  const [check, setCheck] = useState<Schema<'DelegationCheck'>>()
  const path = { path: { id } }
  const isManaged = dnsMode === 'MANAGED'
  const ask = useAct({
    run: () => data(api.POST('/api/domains/{id}/dns-mode/check', { params: path })),
    stale: [],
    onDone: (result) => setCheck(result)
  })
  const change = useAct({
    run: () => data(api.PATCH('/api/domains/{id}/dns-mode', { params: path, body: { mode: isManaged ? 'CONNECTED' : 'MANAGED' } })), // prettier-ignore
    stale: [['domains']],
    done: () => t(isManaged ? 'mode.left' : 'mode.taken')
  })
  return (
    <Section
      title={t(isManaged ? 'mode.here' : 'mode.elsewhere')}
      hint={t(isManaged ? 'mode.here.hint' : 'mode.elsewhere.hint')}
    >
      {check && (
        <Notice tone={check.delegated ? 'ok' : 'warn'}>
          <Said by={{ delegation: dnsRecordMessages }} sentences={check.sentences}>
            {check.message}
          </Said>
        </Notice>
      )}
      {check?.expectedNameservers.map((server) => (
        <CopyField key={server} label={t('nameserver')} value={server} />
      ))}
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
