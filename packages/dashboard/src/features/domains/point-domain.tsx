import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { projectNamesQuery } from '../projects/projects.queries.ts'
import { domainMessages } from './domains.messages.ts'
import { pointDomain, routesQuery } from './domains.queries.ts'
import classes from './route-map.module.css'

export function PointDomain({ projectId }: { projectId: string }) {
  const t = useMessages(domainMessages)
  const { data } = useQuery(routesQuery({}))
  const { data: projects = [] } = useQuery(projectNamesQuery)
  const [chosen, setChosen] = useState('')
  const others = (data?.items ?? []).filter((domain) => domain.projectId !== projectId)
  const domain = others.find(({ id }) => id === chosen) ?? others[0]
  const point = useAction({
    run: ({ id }: Schema<'Domain'>) => pointDomain(id, projectId),
    invalidates: [['domains']],
    done: (_result, { hostname }) => t('pointed', { hostname })
  })
  if (!domain) return null
  const nameOf = ({ hostname, pathPrefix, projectId: id }: Schema<'Domain'>) => {
    const project = projects.find((each) => each.id === id)?.name
    const host = `${hostname}${pathPrefix ?? ''}`
    return project === undefined ? host : t('point.from', { host, project })
  }
  return (
    <Section title={t('point')} hint={t('point.hint')}>
      <div className={classes.point}>
        <NativeSelect
          className={classes.choice!}
          label={t('column.name')}
          value={domain.id}
          data={others.map((each) => ({ value: each.id, label: nameOf(each) }))}
          onChange={({ target }) => setChosen(target.value)}
        />
        <Button variant="default" loading={point.isPending} onClick={() => point.start(domain)}>
          {t('point.submit')}
        </Button>
      </div>
    </Section>
  )
}
