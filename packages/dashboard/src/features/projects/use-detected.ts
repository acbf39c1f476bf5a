import { useQuery } from '@tanstack/react-query'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { detectionQuery } from './project.queries.ts'
import { projectMessages } from './projects.messages.ts'

interface Detected {
  build: string
  start: string
  port: string
}

/** What applies where the project sets nothing: `npm run build (auto-detected)`. */
export function useDetected(project: Schema<'Project'>): Detected {
  const t = useMessages(projectMessages)
  const hasSource =
    project.source !== 'FILES' && (project.gitUrl !== null || project.image !== null || project.type === 'WORDPRESS')
  const { data } = useQuery({ ...detectionQuery(project.id), enabled: hasSource })
  const textOf = (value: string | undefined) =>
    value === undefined ? t('fact.automatic') : t('fact.detected', { value })
  // A command that was saved a moment ago is not detected.
  const commandOf = (found: Schema<'Detection'>['build'] | undefined) =>
    textOf(found && found.source !== 'SETTING' ? found.command : undefined)
  return {
    build: commandOf(data?.build),
    start: commandOf(data?.start),
    port: textOf(project.port === null && typeof data?.port === 'number' ? String(data.port) : undefined)
  }
}
