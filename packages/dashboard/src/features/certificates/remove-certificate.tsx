import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { DangerSection } from '../../ui/danger-section.tsx'
import { certificateMessages } from './certificates.messages.ts'

export function RemoveCertificate({ domainId, name }: { domainId: string; name: string }) {
  const t = useMessages(certificateMessages)
  return (
    <DangerSection
      title={t('remove')}
      hint={t('remove.hint')}
      action={t('remove')}
      name={name}
      run={() => data(api.DELETE('/api/domains/{id}/ssl', { params: { path: { id: domainId } } }))}
      invalidates={[['domains', domainId]]}
      done={() => t('removed')}
    />
  )
}
