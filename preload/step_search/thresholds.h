// The thresholds of finding steps without markers, each with its reason. None was chosen for a workload: they separate
// things that differ by far more than the number says, or state how much evidence is little.
#pragma once

#include <cstddef>

namespace tauprof {

// --- updates -------------------------------------------------------------------------------------------------------
// Between two updates lies a pass over the model. A stretch between update kernels with fewer than this share of the
// different kernels of the richest such stretch is clipping or bookkeeping between two optimizers, not a pass: a
// model's forward and backward kernels outnumber those by an order of magnitude.
inline constexpr double kPassVocabulary = 0.25;
// Optimizers that take turns (a GAN's two networks, several critic steps for one of the generator) repeat after so many
// updates at most.
inline constexpr size_t kMostTurns = 16;
// Passes are alike when they share this part of their different kernels. Two networks share many (GEMMs, additions) but
// for their own layers; one network's passes differ by what an odd last batch selects.
inline constexpr double kAlikePasses = 0.9;
// Turns count when so many of the stretches are like the one a full turn before: every exception is an evaluation or a
// checkpoint, which are rare by nature.
inline constexpr double kTurnShare = 0.9;
// An update that is known only from where it stands, after some backward passes but not after others, is believed when
// it launches at least so many kernels: a metric takes one or two, an update some for every tensor.
inline constexpr size_t kUpdateLaunches = 4;

// --- extra work ----------------------------------------------------------------------------------------------------
// A step with over this multiple of the median step's launches may hold an evaluation or the set-up in front of it …
inline constexpr double kLongStep = 1.1;
// … which it does if what exceeds the median step shows less than this share of a step's different kernels. Forward
// alone has about half of them; another micro-batch has all but the update's.
inline constexpr double kExtraVocabulary = 0.75;
// Launches that must agree to recognise how a step begins. One is too common (every batch is copied), a dozen is
// already past where conditional code may differ.
inline constexpr size_t kHeadLaunches = 4;
// Reading back a loss takes a few launches (a mean, a sum over ranks) between the update and the copy to the host.
inline constexpr size_t kReadbackDistance = 16;
// A first step with less than this share of the median step's launches began before the recording.
inline constexpr double kWholeStep = 0.75;

// --- periodicity ---------------------------------------------------------------------------------------------------
// So many repetitions at least: three distances, of which one may be odd.
inline constexpr size_t kLeastRepeats = 4;
// A period has so many launches at least. One kernel after the other, all the same, has no period.
inline constexpr size_t kLeastPeriod = 3;
// Launches that together make a place in the program. Fewer are found in several places of one layer.
inline constexpr size_t kGramLaunches = 4;
// A place recurs regularly if this share of its distances …
inline constexpr double kRegularShare = 0.8;
// … lies within this factor of their median. Steps of one program differ by less unless their work differs; layers
// within a step come in distances many times smaller.
inline constexpr double kDistanceFactor = 1.5;
// What recurs must make up this share of all launches: a layer's kernels recur, too, but only within forward.
inline constexpr double kRecurringShare = 0.6;
// A pause is longer than another without doubt from this multiple on: those of a host that only goes on differ by less.
inline constexpr double kClearPause = 2;
// A cue (an input copy, a pause) marks the begin of steps when it is found in this share of them.
inline constexpr double kCueShare = 0.8;
// Between averages and an input copy it needs to be found in half of them: the others may be followed by evaluations.
inline constexpr double kCommonShare = 0.5;

// --- confidence ----------------------------------------------------------------------------------------------------
// How sure a source is by itself, in the order of trust; what agrees raises it, what does not lowers it. They are an
// order, not probabilities.
inline constexpr double kTrustInNames = 0.9;        // kernels that only an optimizer launches
inline constexpr double kTrustInLists = 0.85;       // kernels over lists of tensors
inline constexpr double kTrustInBackward = 0.75;    // one backward pass a step, or an update in every n-th
inline constexpr double kTrustInCollectives = 0.6;  // the same collectives over and over
inline constexpr double kTrustInLaunches = 0.6;     // the same launches over and over
inline constexpr double kTrustInOneUpdate = 0.5;    // a single update: nothing to compare it with
// Below this a search has found something that recurs somehow, and no other kind of launches agrees: less than what an
// optimizer's names alone are worth. Slices of time say more than such steps.
inline constexpr double kLeastConfidence = 0.4;
// Of the doubt that is left, each kind of evidence that agrees takes this part away.
inline constexpr double kDoubtRemoved = 0.3;
// A kind of evidence agrees if so many steps have the same count of it.
inline constexpr double kAgreeingSteps = 2.0 / 3;

}  // namespace tauprof
