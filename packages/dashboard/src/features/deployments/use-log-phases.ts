import { phasesOf } from '@panel/contract/deployment-phases'
import { useMemo, useSyncExternalStore } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import type { LogBuffer } from '../../ui/log-viewer/log-buffer.ts'
import type { LogSection } from '../../ui/log-viewer/use-sections.ts'
import { deploymentMessages } from './deployments.messages.ts'
import { type Deployment, isOpen } from './deployments.queries.ts'

/** Of a failed deployment only the phase that failed is open. */
export function useLogPhases(buffer: LogBuffer, deployment: Deployment | undefined): readonly LogSection[] {
  const t = useMessages(deploymentMessages)
  const { duration } = useI18n()
  const version = useSyncExternalStore(buffer.subscribe, buffer.version)
  const phases = useMemo(() => phasesIn(buffer, version), [buffer, version])
  const hasFailed = deployment?.status === 'FAILED'
  return phases.map(({ name, from, to, ms }, at) => {
    const isLast = at === phases.length - 1
    const isBad = hasFailed && isLast
    const time = ms === null ? undefined : duration(ms / 1_000)
    const isRunning = isLast && ms === null && deployment !== undefined && isOpen(deployment)
    const failed = time === undefined ? t('phase.failed') : t('phase.failedAfter', { time })
    const note = isBad ? failed : isRunning ? t('phase.running') : time
    return { key: name, from, to, title: t(`phase.${name}`), note, isBad, isOpen: !hasFailed || isLast }
  })
}

const phasesIn = (buffer: LogBuffer, _version: number) => (buffer.isWhole ? phasesOf(buffer.lines) : [])
