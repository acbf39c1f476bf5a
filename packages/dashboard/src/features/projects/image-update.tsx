import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { failureMessages } from '../../ui/shared-texts/failure.messages.ts'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { build, checkImage, imageUpdateQuery } from './project.queries.ts'
import { projectMessages } from './projects.messages.ts'

const shortDigest = (digest: string) => digest.slice(0, 'sha256:'.length + 12)

/** The image of a project, and whether its tag names a newer one than the live release. */
export function ImageUpdate({ projectId }: { projectId: string }) {
  const t = useMessages(projectMessages)
  const { data: update, error, refetch } = useQuery(imageUpdateQuery(projectId))
  const invalidates = [['projects', projectId]]
  const checking = useAction({ run: () => checkImage(projectId), invalidates, done: () => t('image.checked.now') })
  const deploying = useAction({ run: () => build(projectId), invalidates, done: () => t('image.deploying') })
  if (!update)
    return (
      <Section title={t('image')}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <RowsSkeleton rows={3} height={32} />}
      </Section>
    )
  const digest = (value: string | null) =>
    value === null ? t('image.none') : <Foreign title={value}>{shortDigest(value)}</Foreign>
  return (
    <Section title={t('image')}>
      {update.isNewer && <Notice tone="info">{t('image.newer')}</Notice>}
      {update.problem !== null && (
        <Notice tone="bad">
          <SentenceText by={{ reason: failureMessages }} sentences={update.sentences}>
            {update.problem}
          </SentenceText>
        </Notice>
      )}
      <Facts
        rows={[
          { name: t('image'), value: <Foreign dir="ltr">{update.reference ?? t('image.none')}</Foreign> },
          { name: t('image.deployed'), value: digest(update.deployedDigest) },
          { name: t('image.latest'), value: digest(update.latestDigest) },
          {
            name: t('image.checked'),
            value: update.checkedAt === null ? t('image.none') : <Time at={update.checkedAt} />
          }
        ]}
      />
      <Group gap="sm">
        {update.isNewer && (
          <Button loading={deploying.isPending} onClick={() => deploying.start()}>
            {t('image.deploy')}
          </Button>
        )}
        <Button variant="default" loading={checking.isPending} onClick={() => checking.start()}>
          {t('image.check')}
        </Button>
      </Group>
    </Section>
  )
}
