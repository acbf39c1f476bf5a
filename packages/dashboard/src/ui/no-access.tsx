import { IconLock } from '@tabler/icons-react'
import { useMessages } from '../i18n/i18n.tsx'
import { EmptyState } from './states.tsx'
import { uiMessages } from './ui.messages.ts'

export function NoAccess({ hint }: { hint: string }) {
  const t = useMessages(uiMessages)
  return <EmptyState isPage title={t('forbidden')} hint={hint} icon={<IconLock size={28} stroke={1.5} aria-hidden />} />
}
