// Those who run language models.

import type { Rule } from './rule.ts'
import { apart, token } from './rule.ts'

export const MODEL_RULES: readonly Rule[] = [
  token('anthropic-key', 'sk-ant-', /sk-ant-[a-z]{2,8}\d{0,2}-[A-Za-z0-9_-]{20,300}/),
  token(
    'openai-key',
    'sk-proj- sk-svcacct- sk-admin- sk-none-',
    /sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}/i,
  ),
  apart('openai-key', 'sk-', /sk-(?!ant-)(?=[A-Za-z-]{0,40}\d)[A-Za-z0-9]{20,100}(?![A-Za-z0-9])/),
  // Of forty-eight characters one in a thousand has its first digit late, or none.
  apart('openai-key', 'sk-', /sk-(?=[a-z]{0,40}[A-Z])(?=[A-Z]{0,40}[a-z])[A-Za-z0-9]{48}(?![A-Za-z0-9_-])/),
  token('openrouter-key', 'sk-or-', /sk-or-(?:v\d-)?[A-Za-z0-9]{32,100}/),
  apart('openai-refresh', 'sess-', /sess-[A-Za-z0-9]{40}(?![A-Za-z0-9])/),
  apart('huggingface-token', 'hf_ api_org_', /(?:hf_|api_org_)[A-Za-z]{30,60}(?![A-Za-z0-9])/),
  apart('huggingface-token', 'hf_', /hf_[A-Za-z0-9]{30,60}(?![A-Za-z0-9])/),
  apart('replicate-token', 'r8_', /r8_[A-Za-z0-9]{37,40}(?![A-Za-z0-9])/),
  apart('groq-key', 'gsk_', /gsk_[A-Za-z0-9]{48,60}(?![A-Za-z0-9])/),
  apart('perplexity-key', 'pplx-', /pplx-[A-Za-z0-9]{40,64}(?![A-Za-z0-9])/),
  apart('xai-key', 'xai-', /xai-[A-Za-z0-9]{70,100}(?![A-Za-z0-9])/),
  apart('fireworks-key', 'fw_', /fw_[A-Za-z0-9]{22,30}(?![A-Za-z0-9])/),
  apart('nvidia-key', 'nvapi-', /nvapi-[A-Za-z0-9_-]{50,80}/),
  apart('langsmith-key', 'lsv2_', /lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}/),
  apart('langfuse-key', 'sk-lf-', /sk-lf-[a-f0-9]{8}-[a-f0-9-]{20,30}/),
  apart('tavily-key', 'tvly-', /tvly-[A-Za-z0-9-]{20,60}/),
  apart('pinecone-key', 'pcsk_', /pcsk_[A-Za-z0-9_]{40,90}/),
  apart('cohere-key', 'co-', /co-[A-Za-z0-9]{40}(?![A-Za-z0-9])/),
  apart('cerebras-key', 'csk-', /csk-[a-z0-9]{40,60}(?![A-Za-z0-9])/),
  apart('firecrawl-key', 'fc-', /fc-[a-f0-9]{32}(?![A-Za-z0-9])/),
]
