import { IconDotsVertical, IconFile, IconFileZip, IconFolder } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { CutName } from '../../ui/cut-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LazyMenu, type MenuParts } from '../../ui/lazy-menu.tsx'
import { shownName } from '../../ui/shown-name.ts'
import { Time } from '../../ui/time.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import type { FileAction } from './file-dialog.tsx'
import classes from './files.module.css'
import type { FileNode } from './files.queries.ts'
import { isArchive } from './paths.ts'

const FileMenu = lazy(() => import('./file-menu.tsx').then((module) => ({ default: module.FileMenu })))

interface FileRowProps {
  projectId: string
  folder: string
  node: FileNode
  onAction(action: FileAction | 'deleteFile', node: FileNode): void
}

export function FileRow({ projectId, folder, node, onAction }: FileRowProps) {
  const ui = useMessages(uiMessages)
  const { bytes } = useI18n()
  const { name, path, type, size, mode, mtime } = node
  const Glyph = type === 'dir' ? IconFolder : isArchive(path) ? IconFileZip : IconFile
  const menu = useMemo(
    () =>
      function RowMenu(parts: MenuParts) {
        return (
          <Suspense fallback={parts.target}>
            <FileMenu {...parts} projectId={projectId} node={node} onAction={onAction} />
          </Suspense>
        )
      },
    // oxlint-disable-next-line react/exhaustive-deps -- the handler is new on each render, but does the same
    [projectId, node]
  )
  return (
    <tr>
      <td className={classes.name}>
        <Link
          to="."
          search={type === 'dir' ? { path } : { path: folder || undefined, open: path }}
          preload={false}
          className={card.rowLink!}
        >
          <Glyph size={18} aria-hidden className={classes.glyph} />
          <CutName name={shownName(name)} />
        </Link>
      </td>
      <td className={`${card.end} ${card.sub}`}>{type === 'dir' ? '–' : bytes(size)}</td>
      <td className={`${card.sub} ${classes.wide}`}>
        <code>{mode.slice(-3)}</code>
      </td>
      <td className={`${card.sub} ${classes.changed}`}>
        <Time at={mtime} />
      </td>
      <td className={card.end}>
        <LazyMenu
          body={menu}
          target={
            <IconButton label={ui('actions', { name: shownName(name) })} data-actions={path}>
              <IconDotsVertical size={16} aria-hidden />
            </IconButton>
          }
        />
      </td>
    </tr>
  )
}
