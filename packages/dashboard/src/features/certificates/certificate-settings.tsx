import { Stack, Switch } from '@mantine/core'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { certificateMessages } from './certificates.messages.ts'

interface CertificateSettingsProps {
  domainId: string
  certificate: Pick<Schema<'Certificate'>, 'type' | 'forceHttps' | 'autoRenew'>
}

export function CertificateSettings({ domainId, certificate }: CertificateSettingsProps) {
  const t = useMessages(certificateMessages)
  const change = useAction({
    run: (body: { forceHttps: boolean } | { autoRenew: boolean }) =>
      data(api.PATCH('/api/domains/{id}/ssl/settings', { params: { path: { id: domainId } }, body })),
    invalidates: [['domains', domainId]],
    done: () => t('saved')
  })
  return (
    <Section title={t('settings')} hint={t('settings.hint')}>
      <Stack gap="md">
        <Switch
          label={t('forceHttps')}
          description={t('forceHttps.hint')}
          checked={certificate.forceHttps}
          onChange={() => change.start({ forceHttps: !certificate.forceHttps })}
        />
        {certificate.type === 'LETS_ENCRYPT' && (
          <Switch
            label={t('autoRenew')}
            description={t('autoRenew.hint')}
            checked={certificate.autoRenew}
            onChange={() => change.start({ autoRenew: !certificate.autoRenew })}
          />
        )}
      </Stack>
    </Section>
  )
}
