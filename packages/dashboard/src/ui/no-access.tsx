import { IconLock } from '@tabler/icons-react'
import { useMessages } from '../i18n/i18n.tsx'
import { EmptyState } from './states.tsx'
import { uiMessages } from './ui.messages.ts'

/** All of a page that is not for this account: what it takes, and whom to ask. */
export function NoAccess({ hint }: { hint: string }) {
  const t = useMessages(uiMessages)
  return <EmptyState isPage title={t('forbidden')} hint={hint} icon={<IconLock size={28} stroke={1.5} aria-hidden />} />
}
