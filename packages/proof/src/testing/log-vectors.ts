import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

/** Cases of other implementations: data that is kept beside the project, not in it. */
export interface LogVectors {
  hasher: Record<'empty_root_hex' | 'empty_leaf_hex', string> & {
    leaf: { data_utf8: string; hash_hex: string }
    node: { left_utf8: string; right_utf8: string; hash_hex: string }
  }
  reference_tree: { leaves_hex: string[]; roots_hex_for_size_1_to_8: string[] }
  inclusion: { cases: InclusionCase[] }
  consistency: { cases: ConsistencyCase[] }
  signed_note: {
    cases: { vkeys: string[]; note: string; ok: boolean; sign_check?: { published_example_skey: string } }[]
    bad_vkeys: { cases: string[] }
  }
  cosignature_v1: { cases: { vkeys: string[]; note: string; time: number; ok: boolean }[] }
  tile_tree_300: {
    size: number
    root: string
    tiles: Record<string, { len: number; sha256_hex?: string; b64?: string }>
  }
  tessera_log_15: {
    vkey: string
    entries_utf8: string[]
    entry_bundle_b64: string
    tile_0_000_p_15_b64: string
    checkpoints_by_size: Record<string, string>
  }
  tile_paths: { cases: [level: number | 'entries', index: number, partialWidthOr0: number, path: string][] } & Record<
    'partials_for_size_70000' | 'partials_for_size_256',
    Record<string, { full: number; partial: number }>
  >
  tlog_proof_format: {
    marshal: { index: number; hashes: string[]; extra_utf8?: string; checkpoint: string; text: string }[]
    reject: string[]
  }
  checkpoint_body: { reject: string[] }
  witness_conversation: {
    log: { origin: string; ed25519_pub_hex: string }
    steps: {
      request: string
      status: number
      spec_v1_0_0_status?: number
      body_contains?: string
      body_equals?: string
    }[]
  }
  policy_files: { accept: string[] }
  go_tlog_70000: {
    roots_by_size: Record<string, string>
    inclusion: [index: number, size: number, proof: string[]][]
    consistency: [old: number, size: number, proof: string[]][]
  }
}

export interface InclusionCase {
  id: string
  leafIdx: number
  treeSize: number
  root: string
  leafHash: string
  proof: string[] | null
  wantErr: boolean
}

export interface ConsistencyCase {
  id: string
  size1: number
  size2: number
  root1: string
  root2: string
  proof: string[] | null
  wantErr: boolean
  strict_may_reject?: string
}

const ROOT = join(import.meta.dirname, '../../../..')
const FILE = ['..', '../..']
  .map((above) => join(ROOT, above, 'shared/vectors/tlog-vectors.json'))
  .find((path) => existsSync(path))

/** A test over the cases of other implementations; skipped, and says so, where they are not. */
export function testLogVectors(
  title: string,
  run: (vectors: LogVectors, t: TestContext) => void | Promise<void>,
): void {
  test(title, async (t) => {
    if (!FILE) return t.skip('shared/vectors/tlog-vectors.json is not beside the project')
    return run(JSON.parse(readFileSync(FILE, 'utf8')) as LogVectors, t)
  })
}
