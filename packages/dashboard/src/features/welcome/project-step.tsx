import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useAction } from '../../ui/use-action.ts'
import { build } from '../projects/project.queries.ts'
import { settingsQuery } from '../settings/settings.queries.ts'
import { welcomeMessages } from './welcome.messages.ts'
import classes from './welcome.module.css'

/** Deploys a first site from a repository URL or the bundled sample. */
export function ProjectStep() {
  const t = useMessages(welcomeMessages)
  const navigate = useNavigate()
  const { data: settings } = useQuery(settingsQuery)
  const [url, setUrl] = useState('')
  const sample = settings?.sampleRepository ?? null
  const deploySample = useAction({
    run: async () => {
      const project = await data(
        api.POST('/api/projects', { body: { name: 'sample', type: 'NODEJS', gitUrl: sample!, branch: 'main' } })
      )
      await build(project.id)
      return project
    },
    invalidates: [['projects'], ['overview']],
    onDone: ({ id }) => void navigate({ to: '/projects/$projectId/deployments', params: { projectId: id } })
  })
  const inspect = () =>
    void navigate({ to: '/projects/new', search: { from: 'git', url: url.trim() }, state: { isRequested: true } })
  return (
    <div className={classes.body}>
      <form
        className={classes.body}
        onSubmit={(event) => {
          event.preventDefault()
          inspect()
        }}
      >
        <TextInput
          label={t('project.url')}
          description={t('project.url.hint')}
          placeholder="https://github.com/owner/repository"
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <div className={classes.acts}>
          <Button type="submit" disabled={url.trim() === ''}>
            {t('project.inspect')}
          </Button>
          {sample !== null && (
            <Button variant="default" loading={deploySample.isPending} onClick={() => deploySample.start()}>
              {t('project.sample')}
            </Button>
          )}
          <Link to="/projects/new">{t('project.other')}</Link>
        </div>
      </form>
    </div>
  )
}
