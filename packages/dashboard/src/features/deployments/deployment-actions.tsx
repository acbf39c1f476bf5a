import { Button } from '@mantine/core'
import { IconArrowBackUp, IconRefresh, IconSearch, IconX } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { useAction } from '../../ui/use-action.ts'
import { build } from '../projects/project.queries.ts'
import { useIsUnavailable } from '../system/health.queries.ts'
import { deploymentMessages } from './deployments.messages.ts'
import { againBy, deployAgain, operate } from './deployment-operations.ts'
import { type Deployment, isOpen } from './deployments.queries.ts'

interface DeploymentActionsProps {
  projectId: string
  deployment: Deployment
  onFind(text: string): void
}

export function DeploymentActions({ projectId, deployment, onFind }: DeploymentActionsProps) {
  const t = useMessages(deploymentMessages)
  const navigate = useNavigate({ from: '/projects/$projectId/deployments' })
  const isUnavailable = useIsUnavailable('containerEngine')
  const invalidates = [['projects', projectId]]
  const show = (id?: string) => void navigate({ search: id === undefined ? {} : { d: id } })
  const cancel = useAction({
    run: () => operate(projectId, deployment.id, 'cancel'),
    invalidates,
    done: () => t('cancelled')
  })
  const rollBack = useAction({
    run: () => operate(projectId, deployment.id, 'rollback'),
    invalidates,
    done: () => t('rolledBack'),
    onDone: ({ id }) => show(id)
  })
  const rebuild = useAction({ run: () => build(projectId, deployment.id), invalidates, onDone: ({ id }) => show(id) })
  const deploy = useAction({ run: () => deployAgain(projectId), invalidates, done: () => t('redeployed') })
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
          disabled={isUnavailable}
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
          disabled={isUnavailable}
          onClick={() => rollBack.start()}
        >
          {t('rollback')}
        </Button>
      )}
    </>
  )
}
