import { IconChevronRight, IconFolder } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { fileMessages } from './files.messages.ts'
import { folderQuery } from './files.queries.ts'
import classes from './folder-tree.module.css'
import { foldersTo, nameOf } from './paths.ts'

interface FolderTreeProps {
  projectId: string
  path: string
}

export function FolderTree({ projectId, path }: FolderTreeProps) {
  const t = useMessages(fileMessages)
  const [shown, setShown] = useState<string>()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  if (shown !== path) {
    setShown(path)
    setOpen(new Set([...open, ...foldersTo(path)]))
  }
  const tree: Tree = {
    projectId,
    path,
    isOpen: (folder) => open.has(folder),
    turn: (folder, isOpen) => setOpen(new Set(isOpen ? [...open, folder] : [...open].filter((each) => each !== folder)))
  }
  return (
    <nav aria-label={t('tree')} className={classes.tree}>
      <ul>
        <Folder tree={tree} folder="" name={t('root')} />
      </ul>
    </nav>
  )
}

interface Tree extends FolderTreeProps {
  isOpen(folder: string): boolean
  turn(folder: string, isOpen: boolean): void
}

function Folder({ tree, folder, name }: { tree: Tree; folder: string; name: string }) {
  const t = useMessages(fileMessages)
  const isOpen = tree.isOpen(folder)
  return (
    <li>
      <div className={classes.row} data-shown={tree.path === folder || undefined}>
        <IconButton
          label={t(isOpen ? 'tree.close' : 'tree.open', { name })}
          aria-expanded={isOpen}
          onClick={() => tree.turn(folder, !isOpen)}
        >
          <IconChevronRight size={14} aria-hidden className={classes.turn} />
        </IconButton>
        <Link
          to="."
          search={{ path: folder || undefined }}
          preload={false}
          className={classes.link}
          // The root has no `path` parameter, so without `exact` it would always be active.
          activeOptions={{ explicitUndefined: true }}
        >
          <IconFolder size={16} aria-hidden />
          <CutName name={name} tail={8} />
        </Link>
      </div>
      {isOpen && <Below tree={tree} folder={folder} />}
    </li>
  )
}

function Below({ tree, folder }: { tree: Tree; folder: string }) {
  const { data: nodes = [] } = useInfiniteQuery(folderQuery(tree.projectId, folder))
  const folders = nodes.filter(({ type }) => type === 'dir')
  if (folders.length === 0) return null
  return (
    <ul>
      {folders.map(({ path }) => (
        <Folder key={path} tree={tree} folder={path} name={shownName(nameOf(path))} />
      ))}
    </ul>
  )
}
