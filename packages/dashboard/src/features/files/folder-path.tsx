import { Link } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { fileMessages } from './files.messages.ts'
import classes from './files.module.css'

export function FolderPath({ path, isFile = false }: { path: string; isFile?: boolean }) {
  const t = useMessages(fileMessages)
  const names = path === '' ? [] : path.split('/')
  const steps = [t('root'), ...names].map((name, depth) => ({ name, to: names.slice(0, depth).join('/') }))
  return (
    <nav aria-label={t('path')} className={classes.path}>
      <ol>
        {steps.map(({ name, to }, depth) => (
          <li key={to}>
            {depth === steps.length - 1 ? (
              <span aria-current="page">
                <bdi>{shownName(name)}</bdi>
              </span>
            ) : (
              <Link to="." search={{ path: to || undefined }}>
                <bdi>{shownName(name)}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ol>
      {isFile && <span className="vh">{t('file')}</span>}
    </nav>
  )
}
