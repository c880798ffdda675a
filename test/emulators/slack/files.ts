import { randomBytes } from 'node:crypto';
import type { Journal } from './journal.ts';
import type { Json } from './json.ts';
import { Refusal } from './refusal.ts';
import { TEAM } from './seed.ts';

interface Upload {
  readonly path: string;
  readonly name: string;
  readonly length: number;
  content?: Buffer;
  isComplete?: true;
}

/** The files that the bot uploads: first it gets a URL for the bytes, then it completes the upload. */
export class Files {
  readonly #journal: Journal;
  readonly #uploads = new Map<string, Upload>();
  #base = '';

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Sets the base URL of the server. */
  serveAt(base: string): void {
    this.#base = base;
  }

  /** The content of a completed file. */
  contentOf(id: string): Buffer | undefined {
    const upload = this.#uploads.get(id);
    return upload?.isComplete ? upload.content : undefined;
  }

  /** Reserves a URL for the upload of this many bytes. */
  reserve(name: string, length: number): { readonly id: string; readonly url: string } {
    const id = `F0FILE${this.#uploads.size + 1}`;
    const path = `/upload/v1/${randomBytes(12).toString('hex')}`;
    this.#uploads.set(id, { path, name, length });
    return { id, url: `${this.#base}${path}` };
  }

  /** Receives the bytes of an upload; returns Slack's answer. */
  receive(path: string, content: Buffer): string {
    const upload = [...this.#uploads.values()].find((known) => known.path === path);
    if (!upload) throw new Refusal('not_found', `no such address ${path}`);
    if (upload.content !== undefined) this.#journal.breach(`${upload.name} was sent twice`);
    if (content.length !== upload.length)
      this.#journal.breach(`${content.length} bytes, ${upload.length} were announced`);
    upload.content = content;
    return `OK - ${content.length}`;
  }

  /** Completes an upload and returns the file as messages carry it; refused if its bytes are missing. */
  complete(id: string, title: string): Json {
    const upload = this.#uploads.get(id);
    if (upload?.content === undefined)
      throw new Refusal('file_not_found', `no file ${JSON.stringify(id)}, or it was never sent`);
    if (upload.isComplete) throw new Refusal('file_already_completed', `${id} is complete`);
    upload.isComplete = true;
    const { name, content } = upload;
    const address = `${this.#base}/files/${id}/${encodeURIComponent(name)}`;
    return {
      ...{ id, name, title, filetype: name.split('.').at(-1), size: content.length, user: TEAM.botUser },
      ...{ url_private: address, url_private_download: address },
    };
  }
}
