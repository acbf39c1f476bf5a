import { Button, Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'
import { firewallMessages } from './firewall.messages.ts'
import { confirmChange, type FirewallState, revertChange } from './firewall.queries.ts'

const tickMs = 1_000

export function PendingNotice({ pending }: { pending: NonNullable<FirewallState['pending']> }) {
  const t = useMessages(firewallMessages)
  const seconds = useSecondsUntil(pending.deadline)
  const confirm = useAction({
    run: () => confirmChange(pending.id),
    invalidates: [['firewall']],
    done: () => t('confirmed')
  })
  const revert = useAction({ run: revertChange, invalidates: [['firewall']], done: () => t('reverted') })
  return (
    <Notice tone="warn">
      {seconds === 0 ? t('pending.over') : t('pending.text', { seconds })}
      <Group gap="xs" mt="xs">
        <Button size="xs" loading={confirm.isPending} disabled={seconds === 0} onClick={() => confirm.start()}>
          {t('confirm')}
        </Button>
        <Button size="xs" variant="default" loading={revert.isPending} onClick={() => revert.start()}>
          {t('revert')}
        </Button>
      </Group>
    </Notice>
  )
}

function useSecondsUntil(deadline: string): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((Date.parse(deadline) - now) / 1000))
}
