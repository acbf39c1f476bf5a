import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useMessages } from '../../i18n/i18n.tsx'
import { safeUrl } from '../../ui/safe-url.ts'
import { useAction } from '../../ui/use-action.ts'
import { careMessages } from './care.messages.ts'
import { signIn } from './care.queries.ts'

export function SignInButton({ projectId, isDisabled }: { projectId: string; isDisabled: boolean }) {
  const t = useMessages(careMessages)
  const action = useAction({
    run: async (tab: Window | null) => {
      try {
        const url = safeUrl((await signIn(projectId)).url)
        if (tab !== null && url !== undefined) tab.location.replace(url)
      } catch (error) {
        tab?.close()
        throw error
      }
    },
    invalidates: []
  })
  // The tab is opened by the click itself: browsers block one that opens after the answer.
  const start = () => {
    const tab = window.open('about:blank', '_blank')
    if (tab !== null) tab.opener = null
    action.start(tab)
  }
  return (
    <Button
      variant="default"
      disabled={isDisabled}
      loading={action.isPending}
      leftSection={<IconExternalLink size={16} aria-hidden />}
      onClick={start}
    >
      {t('signIn')}
    </Button>
  )
}
