import { Button } from '@mantine/core'
import { IconArrowBackUp, IconSearch, IconX } from '@tabler/icons-react'
import { useMessages } from '../../i18n/i18n.tsx'
import { useAct } from '../../ui/use-act.ts'
import { useIsAway } from '../system/health.queries.ts'
import { deploymentMessages } from './deployments.messages.ts'
import { type Deployment, isOpen, operate } from './deployments.queries.ts'

interface DeploymentActsProps {
  projectId: string
  deployment: Deployment
  isLive: boolean
  onFind(text: string): void
}

export function DeploymentActs({ projectId, deployment, isLive, onFind }: DeploymentActsProps) {
  const t = useMessages(deploymentMessages)
  const isAway = useIsAway('containerEngine')
  const stale = [['projects', projectId]]
  const cancel = useAct({
    run: () => operate(projectId, deployment.id, 'cancel'),
    stale,
    done: () => t('cancelled')
  })
  const rollBack = useAct({
    run: () => operate(projectId, deployment.id, 'rollback'),
    stale,
    done: () => t('rolledBack')
  })
  const open = isOpen(deployment)
  return (
    <>
      {deployment.status === 'FAILED' && (
        <Button variant="default" size="xs" leftSection={<IconSearch size={14} />} onClick={() => onFind('error')}>
          {t('showErrors')}
        </Button>
      )}
      {open && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconX size={14} />}
          loading={cancel.isPending}
          onClick={() => cancel.start()}
        >
          {t('cancel')}
        </Button>
      )}
      {deployment.canRollback && !isLive && !open && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowBackUp size={14} />}
          loading={rollBack.isPending}
          disabled={isAway}
          onClick={() => rollBack.start()}
        >
          {t('rollback')}
        </Button>
      )}
    </>
  )
}
