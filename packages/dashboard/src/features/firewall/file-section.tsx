import { Button, FileButton, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { FirewallExport } from '@panel/contract/firewall'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useOnce } from '../../ui/use-once.ts'
import { firewallMessages } from './firewall.messages.ts'
import { exportAddress, firewallQuery, type FirewallState, importRules } from './firewall.queries.ts'

export function FileSection({ state }: { state: FirewallState }) {
  const t = useMessages(firewallMessages)
  const client = useQueryClient()
  const [isInvalid, setIsInvalid] = useState(false)
  const importing = useOnce<FirewallState, FirewallExport>({
    mutationFn: (document) => importRules(document, { version: state.version, allowSshLockout: false }),
    onSuccess: (saved) => {
      client.setQueryData(firewallQuery.queryKey, saved)
      if (!saved.pending) notifications.show({ message: t('imported'), role: 'status' })
    }
  })
  const read = async (file: File | null) => {
    if (!file) return
    const document = await parse(file)
    setIsInvalid(document === undefined)
    if (document) importing.mutate(document)
  }
  return (
    <Section title={t('file')} hint={t('file.hint')}>
      {isInvalid && <Notice tone="bad">{t('import.invalid')}</Notice>}
      {importing.error && !isInvalid && <Notice tone="bad">{importing.error.message}</Notice>}
      <Group gap="sm">
        <Button
          component="a"
          href={exportAddress}
          download="firewall.json"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('export')}
        </Button>
        <FileButton
          onChange={(file) => void read(file)}
          accept="application/json"
          inputProps={{ 'aria-label': t('import.file') }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              disabled={state.pending !== null}
              loading={importing.isPending}
              leftSection={<IconUpload size={16} aria-hidden />}
            >
              {t('import')}
            </Button>
          )}
        </FileButton>
      </Group>
    </Section>
  )
}

async function parse(file: File): Promise<FirewallExport | undefined> {
  try {
    return FirewallExport.parse(JSON.parse(await file.text()))
  } catch {
    return undefined // Not a file of ours.
  }
}
