// The format as far as it has been met: nine clients from 1.0.128 to 2.1.325 and 121 versions in published transcripts.
// Nothing depends on a name being here but the drift report.

export const KNOWN_TYPES: ReadonlySet<string> = words(`
  agent-color agent-name ai-title api-request api-request-blob api-request-shape assistant atis-latch attachment
  attribution-snapshot bridge-session compaction content-replacement continued-in cost-state custom-title
  file-history-delta file-history-snapshot frame-link last-prompt message mode permission-mode pr-link progress
  queue-operation relocated session_end session_start summary system tag tool_result tool_use tools-used user
  worktree-state
`)

export const KNOWN_SUBTYPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'system',
    words(`
    api_error api_refusal attribution_snapshot away_summary bridge_status chat_compression compact_boundary
    custom_title error informational init local_command microcompact_boundary model_refusal_fallback
    model_refusal_no_fallback rewind session_artifact_snapshot session_start slash_command stop_hook_summary
    turn_duration ui_telemetry
  `),
  ],
  [
    'attachment',
    words(`
    agent_listing_delta auto_mode auto_mode_exit batching_reminder_sent budget_usd command_permissions
    compact_file_reference date date_change deferred_tools_delta deferred_tools_record diagnostics directory
    dynamic_skill edited_text_file environment file goal_status hook_additional_context hook_blocking_error
    hook_cancelled hook_non_blocking_error hook_success hook_system_message invoked_skills
    mcp_instructions_delta model nested_memory opened_file_in_ide plan_mode plan_mode_exit plan_mode_reentry
    prompt_snapshot queued_command read_truncation_notice remote_session_change selected_lines_in_ide
    session_context silent_turn_reminder skill_listing structured_output task_reminder task_status todo_reminder
    total_tokens_reminder ultra_effort_enter ultra_effort_exit unknown_command_fallback
  `),
  ],
  [
    'progress',
    words(`
    agent_progress bash_progress hook_progress mcp_progress query_update search_results_received
    waiting_for_task
  `),
  ],
  [
    'queue-operation',
    words(`
    enqueue dequeue remove popAll
  `),
  ],
])

export const KNOWN_BLOCKS: ReadonlySet<string> = words(`
  text thinking redacted_thinking tool_use tool_result image document fallback tool_reference
`)

export const KNOWN_KEYS: ReadonlySet<string> = words(`
  agentColor agentId agentName aiTitle apiBlockIndex apiError apiErrorStatus apiErrorType apiRefusalCategory
  apiRefusalExplanation atis attachment attributionAgent attributionMcpServer attributionMcpTool attributionPlugin
  attributionSkill backup base bridgeSessionId cacheControl cause classifierMetaLines clew clewRepair commandRun commandUuid
  compactMetadata content contextUsage cost customTitle cwd data deliveryId direction durationMs effort entrypoint
  error explicit failedResponseHadNoToolCall fallbackModel forkedFrom frameUrl gitBranch hasOutput
  hasUnknownModelCost hash hookAdditionalContext hookCount hookErrors hookInfos id imagePasteIds input
  interruptedMessageId isAbortedMidStream isApiErrorMessage isCompactSummary isDisplayOnly isError isMeta
  isSidechain isSnapshotUpdate isVisibleInTranscriptOnly is_error keep key label lastPrompt lastSequenceNum
  leafUuid level logicalParentUuid madeBy maxRetries mcpCallNotReadOnly mcpMeta message messageCount messageId
  microcompactMetadata mode model modelUsage name operation origin originalModel params parentSessionId
  parentToolUseID parentUuid path pendingBackgroundAgentCount pendingWorkflowCount perTurnEffort
  permissionDecision permissionMode planContent postTokens prNumber prRepository prUrl preTokens
  preventedContinuation project projectPath promptCacheRequested promptId promptSource querySource
  queueSkipAttachments reason refusedMessageId refusedUserMessageUuid refusingModel relocatedCwd
  remoteControlDeviceReport rendered renderedBesideToolResult renderedRole requestDigest requestId requestRef
  requestedModel result resumedFrom retryAttempt retryInMs role sandboxed serverClassifierRequest sessionId
  session_id shape shapeHash slug snapshot snapshotMessageId source sourceToolAssistantUUID sourceToolUseID
  startTime stopReason streamCutCause subtype summarizeMetadata summarizedTurnPromptUuids summary tag tail
  teamName thinkingDisplay thinkingDurationMs thinkingMetadata timestamp title todos tokens tokensSaved
  toolDenialKind toolEndsTurn toolInput toolInputStreamMs toolName toolUseID toolUseId toolUseResult tool_use_id
  tools toolsUsed totalAPIDuration totalAPIDurationWithoutRetries totalCostUSD totalDuration totalLinesAdded
  totalLinesRemoved totalToolDuration trackingPath trigger turnCompanion turnOrigin turnPosition type url usage
  userType uuid version worktreeSession
`)

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
