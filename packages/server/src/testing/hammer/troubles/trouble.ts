import { FAKETIME, HAS_SMALL_DISKS } from '../instance/node.ts'

/** What is done to an installation. */
export const TROUBLES = [
  'kill a process',
  'kill a machine',
  'end a node',
  'stop a node',
  'stop a node for long',
  'restart PostgreSQL',
  'crash PostgreSQL',
  'S3 is busy',
  'S3 is slow',
  'S3 breaks off',
  'S3 falls silent',
  'fill a disk',
  'set a clock',
] as const
export type TroubleKind = (typeof TROUBLES)[number]

/** One of them, by the clock of this process in milliseconds. */
export interface Trouble {
  kind: TroubleKind
  /** Name of the node it happened to. */
  node: string | undefined
  began: number
  ended: number
}

/** How often each comes, where this machine can have it. */
export const WEIGHTS: Partial<Record<TroubleKind, number>> = {
  'kill a process': 4,
  'kill a machine': 3,
  'end a node': 2,
  'stop a node': 5,
  'stop a node for long': 0.7,
  'restart PostgreSQL': 3,
  'crash PostgreSQL': 3,
  'S3 is busy': 3,
  'S3 is slow': 3,
  'S3 breaks off': 3,
  'S3 falls silent': 2,
  ...(HAS_SMALL_DISKS && { 'fill a disk': 4 }),
  ...(FAKETIME !== undefined && { 'set a clock': 5 }),
}

/** What this machine cannot have, and why. */
export const missingTroubles: string[] = [
  ...(HAS_SMALL_DISKS ? [] : ['fill a disk: mounting a small one needs root and unshare']),
  ...(FAKETIME === undefined ? ['set a clock: libfaketime (Debian) is not installed'] : []),
]
