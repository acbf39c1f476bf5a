import { Button } from '@mantine/core'
import { IconArrowBackUp, IconRefresh, IconSearch, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { useAct } from '../../ui/use-act.ts'
import { build } from '../projects/project.queries.ts'
import { useIsAway } from '../system/health.queries.ts'
import { deploymentMessages } from './deployments.messages.ts'
import { againBy, deployAgain, type Deployment, isOpen, operate } from './deployments.queries.ts'

interface DeploymentActsProps {
  projectId: string
  deployment: Deployment
  onFind(text: string): void
}

export function DeploymentActs({ projectId, deployment, onFind }: DeploymentActsProps) {
  const t = useMessages(deploymentMessages)
  const navigate = useNavigate({ from: '/projects/$projectId/deployments' })
  const isAway = useIsAway('containerEngine')
  const stale = [['projects', projectId]]
  /** Of what has been begun: the newest, unless one is named. */
  const show = (id?: string) => void navigate({ search: id === undefined ? {} : { d: id } })
  const cancel = useAct({
    run: () => operate(projectId, deployment.id, 'cancel'),
    stale,
    done: () => t('cancelled')
  })
  const rollBack = useAct({
    run: () => operate(projectId, deployment.id, 'rollback'),
    stale,
    done: () => t('rolledBack'),
    onDone: ({ id }) => show(id)
  })
  const rebuild = useAct({ run: () => build(projectId), stale, onDone: ({ id }) => show(id) })
  const deploy = useAct({ run: () => deployAgain(projectId), stale, done: () => t('redeployed') })
  const open = isOpen(deployment)
  const again = againBy(deployment)
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
      {again !== undefined && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={14} />}
          loading={rebuild.isPending || deploy.isPending}
          disabled={isAway}
          onClick={() => {
            if (again === 'build') return rebuild.start()
            deploy.start()
            show()
          }}
        >
          {t('redeploy')}
        </Button>
      )}
      {deployment.canRollback && !deployment.active && !open && (
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
