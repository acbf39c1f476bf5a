import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { certificateMessages } from './certificates.messages.ts'

const UploadForm = lazy(() => import('./upload-form.tsx').then((module) => ({ default: module.UploadForm })))

export function UploadCertificate({ domainId }: { domainId: string }) {
  const t = useMessages(certificateMessages)
  const [isOpen, setOpen] = useState(false)
  return (
    <Section title={t('upload')} hint={t('upload.hint')}>
      {isOpen ? (
        <Suspense fallback={null}>
          <UploadForm domainId={domainId} onDone={() => setOpen(false)} />
        </Suspense>
      ) : (
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('upload.submit')}
        </Button>
      )}
    </Section>
  )
}
