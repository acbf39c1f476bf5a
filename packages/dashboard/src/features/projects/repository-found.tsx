import { NativeSelect, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { oneOf } from '../../routes/search.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { Section } from '../../ui/section.tsx'
import { failureMessages } from '../../ui/shared-texts/failure.messages.ts'
import { DetectionFacts } from './detection-facts.tsx'
import { DeployConnected, DeployNew } from './deploy-repository.tsx'
import type { Inspection } from './new-project.queries.ts'
import { PlaceSelect } from './place-select.tsx'
import { builtTypes } from './project-origins.ts'
import { repositoryItself } from './project-places.ts'
import { projectMessages } from './projects.messages.ts'

interface RepositoryFoundProps {
  found: Inspection
  /** Project created for its deploy key. */
  projectId: string | undefined
  isInspecting: boolean
}

export function RepositoryFound({ found, projectId, isInspecting }: RepositoryFoundProps) {
  const t = useMessages(projectMessages)
  const navigate = useNavigate({ from: '/projects/new' })
  const { detection, branch, branches } = found
  if (detection === null || branch === null)
    return (
      <Section title={t('new.found')}>
        <Notice tone="warn">
          <SentenceText by={{ reason: failureMessages }} sentences={found.sentences}>
            {found.problem ?? ''}
          </SentenceText>
        </Notice>
      </Section>
    )
  return (
    <Section title={t('new.found')} hint={t('detection.hint')}>
      <Stack gap="md" aria-busy={isInspecting || undefined}>
        <div className={formClasses.form}>
          <Stack gap="md">
            <NativeSelect
              label={t('new.branch')}
              data={branches}
              value={branch}
              disabled={isInspecting}
              onChange={({ target }) =>
                void navigate({
                  search: (search) => ({ ...search, branch: target.value }),
                  state: true,
                  replace: true
                })
              }
            />
            <PlaceSelect found={found} isInspecting={isInspecting} />
            {projectId === undefined && (
              <NativeSelect
                label={t('new.type')}
                description={t('new.type.hint')}
                data={builtTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
                value={detection.type}
                disabled={isInspecting}
                onChange={({ target: { value } }) =>
                  void navigate({
                    search: (search) => ({
                      ...search,
                      root: found.rootDirectory ?? repositoryItself,
                      dockerfile: value === 'DOCKERFILE' ? (found.dockerfilePath ?? undefined) : undefined,
                      type: oneOf(builtTypes, value)
                    }),
                    state: true,
                    replace: true
                  })
                }
              />
            )}
          </Stack>
        </div>
        <DetectionFacts detection={detection} />
        {projectId === undefined ? (
          <DeployNew
            key={found.rootDirectory}
            found={found}
            branch={branch}
            type={detection.type}
            isInspecting={isInspecting}
          />
        ) : (
          <DeployConnected found={found} branch={branch} projectId={projectId} isInspecting={isInspecting} />
        )}
      </Stack>
    </Section>
  )
}
