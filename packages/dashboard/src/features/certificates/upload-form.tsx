import { Button, Stack, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { UploadCertificate } from '@panel/contract/certificates'
import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { certificateMessages } from './certificates.messages.ts'

const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

/** The private key exists only in this form’s state. */
export function UploadForm({ domainId, onDone }: { domainId: string; onDone(): void }) {
  const t = useMessages(certificateMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: UploadCertificate,
    initialValues: { certificate: '', privateKey: '' },
    send: (body) => data(api.POST('/api/domains/{id}/ssl/upload', { params: { path: { id: domainId } }, body })),
    onSaved: () => {
      notifications.show({ message: t('uploaded'), role: 'status' })
      void client.invalidateQueries({ queryKey: ['domains', domainId] })
      onDone()
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <Textarea
          label={t('upload.chain')}
          rows={6}
          styles={monospace}
          spellCheck={false}
          {...form.getInputProps('certificate')}
        />
        <Textarea
          label={t('upload.key')}
          rows={6}
          styles={monospace}
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('privateKey')}
        />
        <div>
          <Button type="submit" loading={isPending}>
            {t('upload.submit')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
