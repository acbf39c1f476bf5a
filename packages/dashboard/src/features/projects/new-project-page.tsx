import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Filter } from '../../ui/filter.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import classes from './new-project.module.css'
import { NewEmptyProject } from './new-empty-project.tsx'
import { NewFiles } from './new-files.tsx'
import { NewFromGit } from './new-from-git.tsx'
import { NewImage } from './new-image.tsx'
import { NewWordpress } from './new-wordpress.tsx'
import { type ProjectOrigin, projectOrigins } from './project-origins.ts'
import { projectMessages } from './projects.messages.ts'

const forms: Record<ProjectOrigin, () => ReactNode> = {
  git: NewFromGit,
  files: NewFiles,
  image: NewImage,
  wordpress: NewWordpress,
  empty: NewEmptyProject
}

export function NewProjectPage() {
  const t = useMessages(projectMessages)
  const { from = 'git' } = useSearch({ from: '/signed-in/projects/new' })
  const Form = forms[from]
  return (
    <>
      <PageHeader title={t('new')} crumbs={[{ label: t('title'), link: { to: '/projects' } }]} facts={t('new.hint')} />
      <div className={classes.origins}>
        <Filter
          label={t('new.from')}
          name="from"
          options={projectOrigins.map((value) => ({ value, label: t(`new.from.${value}`) }))}
          selected={from}
        />
      </div>
      <Form />
    </>
  )
}
