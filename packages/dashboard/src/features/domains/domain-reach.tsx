import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { projectNamesQuery } from '../projects/projects.queries.ts'
import { domainMessages } from './domains.messages.ts'
import { pointDomain } from './domains.queries.ts'
import classes from './route-map.module.css'

export function DomainReach({ domain }: { domain: Schema<'Domain'> }) {
  const t = useMessages(domainMessages)
  const { data: projects } = useQuery(projectNamesQuery)
  const [chosen, setChosen] = useState('')
  const { id, hostname, projectId } = domain
  const action = useAction({
    run: (to: string | null) => pointDomain(id, to),
    invalidates: [['domains'], ['projects']],
    done: (_result, to) =>
      to === null
        ? t('detached', { hostname })
        : t('pointed.at', { hostname, project: projects?.find((each) => each.id === to)?.name ?? '' })
  })
  const others = (projects ?? []).filter((project) => project.id !== projectId)
  const target = others.find((project) => project.id === chosen) ?? others[0]
  return (
    <Section title={t('fact.project')} hint={t('reach.hint')}>
      <p>{projectId === null ? t('fact.project.none') : <ProjectLink projectId={projectId} names={projects} />}</p>
      <div className={classes.point}>
        {target && (
          <>
            <NativeSelect
              className={classes.choice!}
              label={t('reach.other')}
              value={target.id}
              data={others.map((project) => ({ value: project.id, label: project.name }))}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            />
            <Button variant="default" loading={action.isPending} onClick={() => action.start(target.id)}>
              {t('reach.go')}
            </Button>
          </>
        )}
        {projectId !== null && (
          <Button variant="default" loading={action.isPending} onClick={() => action.start(null)}>
            {t('reach.detach')}
          </Button>
        )}
      </div>
    </Section>
  )
}

function ProjectLink({ projectId, names }: { projectId: string; names: { id: string; name: string }[] | undefined }) {
  return (
    <Link to="/projects/$projectId" params={{ projectId }}>
      <Foreign>{names?.find(({ id }) => id === projectId)?.name ?? projectId}</Foreign>
    </Link>
  )
}
