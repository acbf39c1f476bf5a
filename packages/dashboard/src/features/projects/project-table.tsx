import {
  type Icon,
  IconDotsVertical,
  IconBrandDocker,
  IconBrandNodejs,
  IconBrandPhp,
  IconBrandPython,
  IconBrandWordpress,
  IconExternalLink,
  IconFileText,
  IconPackage
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LazyMenu, type MenuParts } from '../../ui/lazy-menu.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Time } from '../../ui/time.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { deploymentOfState, projectState } from './project-state.ts'
import classes from './project-table.module.css'
import { projectMessages } from './projects.messages.ts'

const ProjectMenu = lazy(() => import('./project-menu.tsx').then((module) => ({ default: module.ProjectMenu })))

type Project = Schema<'Project'>

const icons: Record<Project['type'], Icon> = {
  NODEJS: IconBrandNodejs,
  PYTHON: IconBrandPython,
  PHP: IconBrandPhp,
  STATIC: IconFileText,
  WORDPRESS: IconBrandWordpress,
  DOCKERFILE: IconBrandDocker,
  IMAGE: IconPackage
}

export function ProjectTable({ projects }: { projects: readonly Project[] }) {
  const t = useMessages(projectMessages)
  return (
    <table className={`${card.table} ${card.cards} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('column.name')}</th>
          <th scope="col">{t('column.state')}</th>
          <th scope="col">{t('column.source')}</th>
          <th scope="col" className={classes.when}>
            {t('column.deployed')}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {projects.map((project) => (
          <ProjectRow key={project.id} project={project} />
        ))}
      </tbody>
    </table>
  )
}

function ProjectRow({ project }: { project: Project }) {
  const t = useMessages(projectMessages)
  const typeName = t(`type.${project.type}`)
  const Glyph = icons[project.type]
  return (
    <tr>
      <td className={classes.cell}>
        <div className={classes.name}>
          <span className={classes.type} title={typeName}>
            <Glyph size={18} stroke={1.6} aria-hidden />
            <span className="vh">{typeName}</span>
          </span>
          <span className={classes.names}>
            <Link to="/projects/$projectId" params={{ projectId: project.id }} className={card.rowLink!}>
              <CutName name={project.name} />
            </Link>
            <Host project={project} />
          </span>
        </div>
      </td>
      <td className={classes.state}>
        <State project={project} />
      </td>
      <td className={classes.source}>
        {project.gitUrl === null ? typeName : <CutName name={project.gitUrl.replace(/^https:\/\//, '')} tail={12} />}
      </td>
      <td className={classes.when}>{project.deployedAt === null ? '–' : <Time at={project.deployedAt} />}</td>
      <td className={classes.menu}>
        <Actions project={project} />
      </td>
    </tr>
  )
}

function State({ project }: { project: Project }) {
  const t = useMessages(projectMessages)
  const { word, tone, isBusy = false } = projectState(project)
  const deployment = deploymentOfState(project)
  const badge = (
    <StatusBadge tone={tone} isBusy={isBusy}>
      {t(word)}
    </StatusBadge>
  )
  if (deployment === undefined) return badge
  return (
    <Link to="/projects/$projectId/deployments" params={{ projectId: project.id }} search={{ d: deployment }}>
      {badge}
    </Link>
  )
}

function Actions({ project }: { project: Project }) {
  const ui = useMessages(uiMessages)
  const menu = useMemo(
    () =>
      function RowMenu(parts: MenuParts) {
        return (
          <Suspense fallback={parts.target}>
            <ProjectMenu {...parts} project={project} />
          </Suspense>
        )
      },
    [project]
  )
  return (
    <LazyMenu
      body={menu}
      target={
        <IconButton label={ui('actions', { name: project.name })}>
          <IconDotsVertical size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}

function Host({ project }: { project: Project }) {
  const t = useMessages(projectMessages)
  if (project.deployedDomain === null) return null
  return (
    <a
      className={classes.host}
      href={`//${project.deployedDomain}`}
      target="_blank"
      rel="noreferrer"
      aria-label={t('open', { host: project.deployedDomain })}
    >
      <CutName name={project.deployedDomain} tail={16} />
      <IconExternalLink size={12} aria-hidden />
    </a>
  )
}
