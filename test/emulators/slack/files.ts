import { randomBytes } from 'node:crypto';
import type { Journal } from './journal.ts';
import type { Json } from './json.ts';
import { Refusal } from './refusal.ts';
import { TEAM } from './seed.ts';

interface Upload {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly length: number;
  content: Buffer | undefined;
  title: string | undefined;
}

const KINDS: Readonly<Record<string, string>> = { csv: 'text/csv', md: 'text/markdown' };

/** The files that the bot uploads. It first gets an address for the bytes, then completes the upload to show the file. */
export class Files {
  readonly #journal: Journal;
  readonly #now: () => number;
  readonly #uploads: Upload[] = [];
  #base = '';

  constructor(journal: Journal, now: () => number) {
    this.#journal = journal;
    this.#now = now;
  }

  /** Sets the address under which the server listens. */
  serveAt(base: string): void {
    this.#base = base;
  }

  /** What is in a file that was completed. */
  contentOf(id: string): Buffer | undefined {
    const upload = this.#uploads.find((known) => known.id === id);
    return upload?.title === undefined ? undefined : upload.content;
  }

  /** Gives an address to upload this many bytes to. */
  reserve(name: string, length: number): { readonly id: string; readonly url: string } {
    const id = `F0FILE${this.#uploads.length + 1}`;
    const path = `/upload/v1/${randomBytes(12).toString('hex')}`;
    this.#uploads.push({ id, path, name, length, content: undefined, title: undefined });
    return { id, url: `${this.#base}${path}` };
  }

  /** Takes the bytes of an upload; gives Slack's answer. */
  receive(path: string, content: Buffer): string {
    const upload = this.#uploads.find((known) => known.path === path);
    if (!upload) throw new Refusal('not_found', `upload: no such address ${path}`);
    if (upload.content !== undefined) this.#journal.breach(`upload: ${upload.id} was sent twice`);
    if (content.length !== upload.length) {
      this.#journal.breach(`upload: ${content.length} bytes, ${upload.length} were announced`);
    }
    upload.content = content;
    return `OK - ${content.length}`;
  }

  /** The uploaded file that a call wants to show; refused if its bytes are missing or it was completed before. */
  uploaded(id: string, by: string): { readonly id: string } {
    const upload = this.#uploads.find((known) => known.id === id);
    if (!upload) throw new Refusal('file_not_found', `${by}: no file ${JSON.stringify(id)}`);
    if (upload.content === undefined) throw new Refusal('file_not_found', `${by}: ${id} was never sent`);
    if (upload.title !== undefined) throw new Refusal('file_already_completed', `${by}: ${id} is complete`);
    return upload;
  }

  /** Completes an upload and returns the file as messages carry it. */
  complete(id: string, title: string): Json {
    const upload = this.#uploads.find((known) => known.id === id);
    if (!upload) throw new Error(`There is no file ${id}`);
    upload.title = title;
    const filetype = upload.name.split('.').at(-1) ?? '';
    const address = `${this.#base}/files/${id}/${encodeURIComponent(upload.name)}`;
    return {
      id,
      created: Math.floor(this.#now() / 1000),
      name: upload.name,
      title,
      mimetype: KINDS[filetype] ?? 'application/octet-stream',
      filetype,
      size: upload.content?.length ?? 0,
      user: TEAM.botUser,
      url_private: address,
      url_private_download: address,
    };
  }
}
