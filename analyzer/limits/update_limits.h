// The limits of finding steps by known updates, each with its reason. None was tuned to a workload: each separates
// things that differ by far more than its value, or says how little evidence is too little.
#pragma once

#include <cstddef>

namespace tauprof {

// --- updates -------------------------------------------------------------------------------------------------------
// Between two updates lies a pass over the model. If a stretch between update kernels has fewer than this share of the
// different kernels in the richest such stretch, it is clipping or bookkeeping between two optimizers, not a pass: a
// model's forward and backward kernels outnumber those by an order of magnitude.
inline constexpr double kPassVocabulary = 0.25;
// Alternating updates (a GAN's two networks, several critic steps for each generator step) repeat after at most this
// many updates.
inline constexpr size_t kMostAlternatingUpdates = 16;
// Passes are alike if they share this part of their kernels. Two networks share many (GEMMs, additions) but
// not those of their own layers; passes of one network differ only by what an odd last batch selects.
inline constexpr double kAlikePasses = 0.9;

// --- extra work ----------------------------------------------------------------------------------------------------
// Work in front of a step that shows less than this share of the step's different kernels is extra work. Forward alone
// has about half of them; another micro-batch has all except the update's.
inline constexpr double kExtraVocabulary = 0.75;
// Launches that must match to recognise the start of a step. One is too common (every batch is copied); with a dozen,
// conditional code may already differ.
inline constexpr size_t kOpeningLaunches = 4;
// Reading back a loss takes a few launches (a mean, a sum over ranks) between the update and the copy to the host.
inline constexpr size_t kReadbackDistance = 16;
// A first step with less than this share of the median step's launches started before the recording.
inline constexpr double kWholeStep = 0.75;

// --- openings -------------------------------------------------------------------------------------------------------
// A pause this many times as long as another is clearly longer: pauses of a host that merely goes on differ by less.
inline constexpr double kClearPause = 2;
// Of pauses, this share counts: the longest may be another program's doing.
inline constexpr double kUsualShare = 0.8;
// The opening launch must follow this share of the updates. Behind the others, an evaluation may bring input first.
inline constexpr double kCommonShare = 0.5;

// --- confidence ----------------------------------------------------------------------------------------------------
// How sure a source is by itself, in the order of trust. Evidence that agrees raises it; without any it is halved. The
// values rank sources; they are not probabilities.
inline constexpr double kTrustInNames = 0.9;      // kernels that only an optimizer launches
inline constexpr double kTrustInLists = 0.85;     // kernels over lists of tensors
inline constexpr double kTrustInOneUpdate = 0.5;  // a single update: nothing to compare it with
// Each kind of evidence that agrees removes this part of the remaining doubt.
inline constexpr double kDoubtRemoved = 0.3;
// A kind of evidence agrees if this share of the steps has the same count of it.
inline constexpr double kAgreeingSteps = 2.0 / 3;

}  // namespace tauprof
