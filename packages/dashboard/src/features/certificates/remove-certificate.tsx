import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAct } from '../../ui/use-act.ts'
import { certificateMessages } from './certificates.messages.ts'

const ConfirmName = lazy(() => import('../../ui/confirm-name.tsx').then((module) => ({ default: module.ConfirmName })))

/** Its key is gone with it, so the name is typed. */
export function RemoveCertificate({ domainId, name }: { domainId: string; name: string }) {
  const t = useMessages(certificateMessages)
  const [isAsking, setAsking] = useState(false)
  const remove = useAct({
    run: () => data(api.DELETE('/api/domains/{id}/ssl', { params: { path: { id: domainId } } })),
    stale: [['domains', domainId]],
    done: () => t('removed'),
    onDone: () => setAsking(false)
  })
  return (
    <Section title={t('remove')} hint={t('remove.hint')} isDanger>
      <Button color="red" onClick={() => setAsking(true)}>
        {t('remove')}
      </Button>
      {isAsking && (
        <Suspense fallback={null}>
          <ConfirmName
            title={t('remove')}
            name={name}
            action={t('remove')}
            isPending={remove.isPending}
            onConfirm={() => remove.start()}
            onClose={() => setAsking(false)}
          >
            {t('remove.hint')}
          </ConfirmName>
        </Suspense>
      )}
    </Section>
  )
}
