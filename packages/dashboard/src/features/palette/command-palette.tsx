import { Modal } from '@mantine/core'
import { useRef } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { PaletteBody } from './palette-body.tsx'
import { paletteMessages } from './palette.messages.ts'
import classes from './palette.module.css'
import type { PaletteFacts } from './use-commands.ts'

interface CommandPaletteProps extends PaletteFacts {
  isOpen: boolean
  onClose(): void
  /** Called after the close transition and the chosen command. */
  onGone(): void
}

export function CommandPalette({ isOpen, onClose, onGone, ...facts }: CommandPaletteProps) {
  const t = useMessages(paletteMessages)
  const chosen = useRef<() => void>(undefined)
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => {
        chosen.current?.()
        chosen.current = undefined
        onGone()
      }}
      size={600}
      yOffset="12vh"
      transitionProps={{ duration: 80 }}
      classNames={{ content: classes.content! }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label={t('title')}>
        <Modal.Body p={0}>
          <PaletteBody
            {...facts}
            onChoose={(command) => {
              // Run after closing: until then the page is inert and a new dialog would open behind the palette.
              chosen.current = () => command.run()
              onClose()
            }}
          />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
